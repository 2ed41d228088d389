import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { baseMap } from './tools/baseMap/baseMapPlugin.ts'
import { compressed } from './tools/compressed.ts'
import { licences } from './tools/licences/licencesPlugin.ts'
import { plainContract } from './tools/plainContract/plugin.ts'
import { startLinks } from './tools/startLinks.ts'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Few files, since each costs a request; each group has what its modules import, unless a group above it has that
 * already. Whatever no group has is divided by the pages that need it.
 */
const CHUNKS = [
  // Asks for everything else, and so has nothing that it could do without.
  { name: 'first', test: /console[\\/]app[\\/]main\.ts|preload-helper/ },
  // Changes seldom, so browsers keep it.
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  {
    name: 'start',
    test: /console[\\/](app[\\/]drawConsole|lib[\\/]form[\\/](formErrors|fieldBounds)|router[\\/]useAddress|ui[\\/](Logo|form[\\/]FormNote))\.tsx?/,
  },
  { name: 'signIn', test: /console[\\/]app[\\/]LoginPage\.tsx/ },
  // Around nearly every page of somebody who is signed in, and in it.
  {
    name: 'shell',
    test: /console[\\/](app[\\/]Shell|ui[\\/](Screen|Panel|AsyncView|Age|table[\\/](DataTable|ListExportMenu)))\.tsx/,
  },
  { name: 'overview', test: /console[\\/]features[\\/]overview[\\/]OverviewScreen\.tsx/ },
  {
    name: 'kit',
    test: /console[\\/]ui[\\/]kit[\\/]Kit\.tsx|@mantine[\\/]core[\\/]esm[\\/]components[\\/](ActionIcon|Button|Menu|Modal|Select|TextInput|Tooltip)[\\/]/,
  },
  { name: 'lists', test: /console[\\/](lib[\\/]list|ui[\\/](filter|table[\\/]ListPanel))/ },
  { name: 'forms', test: /console[\\/](lib|ui)[\\/]form[\\/](useCallForm|ModalForm|NumberField)/ },
  { name: 'icons', test: /@tabler[\\/]icons-react/ },
].map((group, index, groups) => ({ ...group, priority: groups.length - index }))

export default defineConfig({
  root: folder('console'),
  plugins: [plainContract(), baseMap(), react(), startLinks(['react', 'start']), licences(), compressed()],
  build: {
    outDir: folder('dist/console'),
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page allows no inlined font or picture source beyond data: images, and files cache better.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
})
