/** The policy of the page allows only styles that carry this response's nonce. */
export const styleNonce = () => document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? ''

declare global {
  var __webpack_nonce__: string | undefined
}

/** The kit's scroll lock behind a dialog writes a style of its own, and looks for the nonce here. */
export function shareStyleNonce() {
  globalThis.__webpack_nonce__ = styleNonce()
}
