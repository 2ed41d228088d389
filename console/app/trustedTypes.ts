/** Once, to learn whether the browser draws SVG: by Leaflet. */
const MARKUP_OF_LIBRARIES: readonly string[] = ['<svg/>']

interface TrustedTypes {
  readonly createPolicy: (name: string, rules: { readonly createHTML: (text: string) => string | null }) => unknown
}

/**
 * What a text may be where a browser takes it for markup: no markup at all, which is how Mantine writes its styles, or
 * what stands above. Everything else, and every text that would be a script, the browser refuses and reports
 * (docs/decisions/0229). The policy of the page lets nobody else make such a rule.
 */
const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes }
trustedTypes?.createPolicy('default', {
  createHTML: (text) => (text.includes('<') && !MARKUP_OF_LIBRARIES.includes(text) ? null : text),
})
