/** Leaflet sets this once, to learn whether the browser draws SVG. */
const MARKUP_OF_LIBRARIES: readonly string[] = ['<svg/>']

/** The one script that is named by a text: it answers the pages of visits without network. */
const WORKER = '/visitsWorker.js'

interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: Readonly<Record<'createHTML' | 'createScriptURL', (text: string) => string | null>>,
  ) => unknown
}

/**
 * It lists what a text may be where a browser takes it for markup: no markup at all, which is how Mantine writes its
 * styles, or one of the texts above. The browser refuses and reports everything else, and every text that would be a
 * script (docs/decisions/0229). The policy of the page lets no other code create such a rule.
 */
const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes }
trustedTypes?.createPolicy('default', {
  createHTML: (text) => (text.includes('<') && !MARKUP_OF_LIBRARIES.includes(text) ? null : text),
  createScriptURL: (text) => (text === WORKER ? text : null),
})
