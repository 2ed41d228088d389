import type { Plugin } from 'vite'

/** Makes the page preload these chunks, which it would otherwise request only after the first script has run. */
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
