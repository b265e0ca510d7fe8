/** Loads a classic script into the page once. */
export function loadScript(src: string): Promise<void> {
  return (loading[src] ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.onload = () => resolve()
    script.onerror = () => {
      delete loading[src]
      script.remove()
      reject(new Error(`${src} did not load.`))
    }
    document.head.append(script)
  }))
}

const loading: Record<string, Promise<void>> = {}
