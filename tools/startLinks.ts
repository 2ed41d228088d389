import type { Plugin } from 'vite'

/**
 * Has the page ask for these chunks as soon as it is read: they come in any case, and would else be heard of only when
 * the first script has run.
 */
export function startLinks(names: readonly string[]): Plugin {
  return {
    name: 'wayside-start-links',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.values(bundle)
          .filter((chunk) => chunk.type === 'chunk' && names.includes(chunk.name))
          .map(({ fileName }) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${fileName}` },
            injectTo: 'head' as const,
          })),
    },
  }
}
