import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { baseMap } from './tools/baseMap/baseMapPlugin.ts'
import { noChunksInCircle } from './tools/chunksInCircle.ts'
import { compressed } from './tools/compressed.ts'
import { licences } from './tools/licences/licencesPlugin.ts'
import { plainContract } from './tools/plainContract/plugin.ts'
import { type Graph, screenChunks } from './tools/screenChunks.ts'
import { startLinks } from './tools/startLinks.ts'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))

interface Chunk {
  readonly name: string
  /** Files of the console, and patterns for others. */
  readonly of: readonly (string | RegExp)[]
  /** What its modules import is divided like everything else. */
  readonly isAlone?: true
}

/**
 * Few files, since each costs a request; each group has what its modules import, unless a group above it has that
 * already. Whatever no group has is divided by the screens that need it (`tools/screenChunks.ts`).
 */
const CHUNKS: readonly Chunk[] = [
  // Asks for everything else, and so has nothing that it could do without.
  {
    name: 'first',
    of: [
      'app/main.ts',
      /preload-helper/,
      // Styles of the start, which are one file with those of the page.
      'app/notices/toasts.css',
      'ui/AsyncView.css',
      'ui/form/FormNote.css',
      'ui/page/PageNote.css',
      'ui/plain/PlainButton.css',
    ],
  },
  // Changes seldom, so browsers keep it.
  { name: 'react', of: [/node_modules[\\/](react|react-dom|scheduler)[\\/]/] },
  {
    name: 'start',
    of: [
      'app/drawConsole.tsx',
      'lib/form/formErrors.ts',
      'lib/form/fieldBounds.ts',
      'router/useAddress.ts',
      'ui/page/Logo.tsx',
      'ui/form/FormNote.tsx',
      // The sign-in page and screens have them in common.
      /icons[\\/]Icon(ArrowBigUpLines|Eye|EyeOff)\.mjs$/,
    ],
  },
  { name: 'signIn', of: ['app/LoginPage.tsx'] },
  // Few screens need these at once.
  {
    name: 'forms',
    of: [
      /console[\\/]lib[\\/]form[\\/]/,
      /@mantine[\\/](form[\\/]|core[\\/]esm[\\/]components[\\/](Switch|Textarea)[\\/])/,
      /node_modules[\\/](klona|fast-deep-equal|@standard-schema)[\\/]/,
    ],
    isAlone: true,
  },
  {
    name: 'numbers',
    of: ['ui/kit/overNumber.ts', /(NumberInput.*|react-number-format.*)\.m?js$/],
    isAlone: true,
  },
  {
    name: 'longLists',
    of: [
      'ui/table/useVirtualRows.ts',
      /icons[\\/]IconFocusCentered\.mjs$/,
      'features/devices/locations/PlacesPanel.tsx',
      'features/devices/locations/PinList.tsx',
      /@tanstack[\\/](react-virtual|virtual-core)[\\/]/,
    ],
    isAlone: true,
  },
  // Around nearly every page of somebody who is signed in, and in it.
  {
    name: 'shell',
    of: [
      'app/signedInPages.tsx',
      'app/Shell.tsx',
      'ui/page/Screen.tsx',
      'ui/Panel.tsx',
      'ui/AsyncView.tsx',
      'ui/Age.tsx',
      'ui/table/DataTable.tsx',
    ],
  },
  {
    name: 'kit',
    of: [
      'ui/kit/Kit.tsx',
      // Too little for files of their own, and needed by lists of several families.
      'pickers/IdPicker.tsx',
      'lib/compareNames.ts',
      /deviceParts[\\/](lightParts|LightLegend)\.tsx?$|minutes[\\/]lightLabels\.ts$/,
      /icons[\\/]IconPower\.mjs$/,
      /deviceParts[\\/]timeline[\\/].*\.css$/,
      /@mantine[\\/]core[\\/]esm[\\/](components[\\/](ActionIcon|Button|Checkbox|FileButton|FloatingIndicator|Group|Stack|SegmentedControl|Text|TextInput)|core)[\\/]/,
      /@mantine[\\/]hooks[\\/]/,
      /@tanstack[\\/]react-query[\\/].*[\\/]use(Queries|InfiniteQuery)\.js$/,
    ],
  },
  {
    name: 'kitOver',
    of: [
      'ui/kit/overPage.ts',
      'ui/kit/MenuOver.tsx',
      /@mantine[\\/]core[\\/]esm[\\/]components[\\/](Menu|Modal|Select|Popover|ColorSwatch)[\\/]/,
    ],
  },
  {
    name: 'overviewBelow',
    of: [
      /insight[\\/]overview[\\/](TemperaturePanel|LightPanel|CustomersLight|WorstDisplays|HeatMap|HeatMapPanel|SinceLastVisit|SupportCard)\.tsx$/,
    ],
    isAlone: true,
  },
  {
    name: 'commandWords',
    of: [/deviceParts[\\/]command(Labels|Titles)\.ts$/, /contract[\\/]mqtt[\\/]command\.ts$/],
    isAlone: true,
  },
  {
    name: 'dayPlans',
    of: [
      'deviceParts/dayPlanLabels.ts',
      /domain[\\/](displays[\\/](dayPlan|sunTimes|offTimes|presentSettings)|ups[\\/]batteryTest)\.ts$/,
    ],
    isAlone: true,
  },
  {
    name: 'SetupTabParts',
    of: [/[\\/]Slider[\\/](?!RangeSlider|utils[\\/]get-client-position)|use-move/],
    isAlone: true,
  },
  // Every page of a device needs it a little later, for its restart button.
  {
    name: 'power',
    of: [
      /devices[\\/]setup[\\/]power[\\/]/,
      /domain[\\/](darkness[\\/](consequence|restart|feedChain)|components[\\/]standardComponents)\.ts$/,
      /contract[\\/]mqtt[\\/]settings\.ts$/,
    ],
    isAlone: true,
  },
  {
    name: 'settingFields',
    of: [/deviceParts[\\/]settings[\\/](DayPlan|OffTimes)Fields\.tsx$/, 'ui/form/TimeField.tsx'],
    isAlone: true,
  },
  {
    name: 'setupBelow',
    of: [
      /domain[\\/]displays[\\/]ambientCurve\.ts$/,
      /devices[\\/]setup[\\/](display[\\/](AmbientForm|CurvePreview|curvePoints)|recurring[\\/])/,
      /RangeField\.tsx$|luxS(lider|cale)\.ts$|Slider[\\/](RangeSlider|utils[\\/]get-client-position)[\\/]/,
    ],
    isAlone: true,
  },
  {
    name: 'timeline',
    of: [
      'features/devices/status/dashboard/LastDay.tsx',
      /deviceParts[\\/]timeline[\\/](?!UnusualFields|similarFields|TimelineBelow|TimelineList)/,
      /contract[\\/]http[\\/]devices[\\/]records\.ts$/,
    ],
    isAlone: true,
  },
]

const screenChunk = screenChunks()

/** What screens need at once, by screens; then what dialogs have in common. */
const LATER = [
  { debugName: 'screens', name: screenChunk, includeDependenciesRecursively: false },
  ...[
    { name: 'calls', test: /[\\/]contract[\\/]/ },
    { name: 'dialogs', test: /[\\/]console[\\/](ui[\\/]form|pickers)[\\/](?!.*(Moment|Day))/ },
  ].map((group) => ({ ...group, minShareCount: 2, includeDependenciesRecursively: false })),
  { name: 'icons', test: /@tabler[\\/]icons-react/ },
].map((group, index) => ({ ...group, priority: 3 - index }))

const GROUPS = CHUNKS.map(({ name, of, isAlone = false }, index) => {
  const files = of.filter((one) => typeof one === 'string').map((path) => folder(`console/${path}`))
  const missing = files.find((file) => !existsSync(file))
  // A file that was renamed would silently fall out of its group, and pages would load what they do not need.
  if (missing !== undefined)
    throw new Error(`The group ${name} of vite.config.ts names ${missing}, which is not there.`)
  const patterns = of.filter((one) => typeof one !== 'string')
  const isOfGroup = (id: string) => files.includes(id) || patterns.some((pattern) => pattern.test(id))
  return {
    debugName: name,
    name: (id: string, graph: Graph) => (isOfGroup(id) || screenChunk(id, graph) === name ? name : null),
    priority: CHUNKS.length - index + LATER.length,
    includeDependenciesRecursively: !isAlone,
  }
})

export default defineConfig({
  root: folder('console'),
  plugins: [
    plainContract(),
    baseMap(),
    react(),
    startLinks(['react', 'start', 'rolldown-runtime']),
    noChunksInCircle(),
    licences(),
    compressed(),
  ],
  build: {
    outDir: folder('dist/console'),
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page allows no inlined font or picture source beyond data: images, and files cache better.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [...GROUPS, ...LATER] } } },
  },
})
