/** The policy of the page allows only styles that carry the number of this very response. */
export const styleNonce = () => document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? ''

declare global {
  var __webpack_nonce__: string | undefined
}

/** The lock that keeps the page still behind a dialog writes its style by itself, and looks for the number here. */
export function shareStyleNonce() {
  globalThis.__webpack_nonce__ = styleNonce()
}
