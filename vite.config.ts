import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './tools/compressed.ts'
import { plainContract } from './tools/plainContract/plugin.ts'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Libraries that every page needs, apart from our own code: they change seldom, so browsers keep them. */
const LIBRARIES = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  { name: 'data', test: /node_modules[\\/]@tanstack[\\/](?!.*(table|virtual))/ },
]

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
