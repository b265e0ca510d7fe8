import { readFrameAddress, readFrameSettings } from './config.ts'
import { requestToken } from './token-request.ts'

// The settings are the end of the document.
addEventListener('DOMContentLoaded', () => {
  const config = {
    ...readFrameAddress(location.search),
    ...readFrameSettings(document.querySelector('data')?.dataset.frame ?? ''),
  }
  const aheadMs = config.now - Date.now()
  const ambient = { fetch: fetch.bind(window), crypto, now: () => Date.now() + aheadMs }
  window.takeSender({ aheadMs, send: (request) => requestToken(request, config, ambient) })
})
