import { postStep } from '../../api/client.ts'

/** The name of the OpenID Connect provider that members may use; `null` for none. The platform writes it into the page. */
export const providerName: string | null = document.documentElement.dataset['openid'] ?? null

/** Signs in with a passkey of this device, and opens a session. */
export async function signInWithPasskey(): Promise<void> {
  const options = await postStep<PublicKeyCredentialRequestOptionsJSON>('/console/sign-in/begin', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  await postStep('/console/sign-in/passkey', { response: jsonOf(credential) })
}

/** Makes a passkey on this device from what the platform asks for. */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<object> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return jsonOf(await navigator.credentials.create({ publicKey }))
}

function jsonOf(credential: Credential | null): object {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('No passkey was used.', 'NotAllowedError')
  return credential.toJSON()
}

/** Goes to the provider, which leads back to `/console/openid`. */
export async function goToProvider(path: `/console/${string}`, body: object): Promise<void> {
  const { url } = await postStep<{ url: string }>(path, body)
  location.assign(url)
}
