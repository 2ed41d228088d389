import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { compressed } from '#tools/compressed.ts'

/** Builds a page of React alone, compressed as the console is, to be served in its place. */
export async function buildBareConsole(folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: fileURLToPath(new URL('./bare', import.meta.url)),
    plugins: [compressed()],
    build: { outDir: folder, emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
  })
  return folder
}
