import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { plainContract } from './tools/plainContract/plugin.ts'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Libraries that every page needs, apart from our own code: they change seldom, so browsers keep them. */
const LIBRARIES = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  { name: 'data', test: /node_modules[\\/]@tanstack[\\/](?!.*(table|virtual))/ },
]

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** Compressed once here, instead of by the server on every request. */
function compressed(): Plugin {
  return {
    name: 'wayside-compressed',
    apply: 'build',
    async writeBundle({ dir }) {
      const assets = join(dir ?? '', 'assets')
      const names = (await readdir(assets)).filter((name) => /\.(js|css)$/.test(name))
      for (const path of names.map((name) => join(assets, name))) {
        const content = await readFile(path)
        await writeFile(`${path}.br`, await promisify(brotliCompress)(content, BROTLI))
        await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
      }
    },
  }
}

export default defineConfig({
  root: folder('console'),
  plugins: [plainContract(), react(), compressed()],
  build: {
    outDir: folder('dist/console'),
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page allows no inlined font or picture source beyond data: images, and files cache better.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: LIBRARIES } } },
  },
})
