// Not in TypeScript's library, nor in each browser. What a policy makes is an object, which `src` takes for a text.
declare global {
  interface Window {
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL(url: string): string },
      ): { createScriptURL(url: string): string }
    }
  }
}

/** Makes addresses of scripts where the page asks for Trusted Types. Pages name it in their `trusted-types`. */
const POLICY = 'tillwright-wallets'
let policy: ReturnType<NonNullable<Window['trustedTypes']>['createPolicy']> | undefined

/** Loads a classic script into the page once. Its address comes from our code or from the vault. */
export function loadScript(src: string): Promise<void> {
  return (loading[src] ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = trusted(src)
    script.onload = () => resolve()
    script.onerror = () => {
      delete loading[src]
      script.remove()
      reject(new Error(`${src} did not load.`))
    }
    document.head.append(script)
  }))
}

function trusted(src: string): string {
  try {
    policy ??= window.trustedTypes?.createPolicy(POLICY, { createScriptURL: (url) => url })
  } catch {
    // The page names its policies, and ours is not among them; it may still ask for none.
  }
  return policy ? policy.createScriptURL(src) : src
}

const loading: Record<string, Promise<void>> = {}
