import type { Import, Module, Project } from './project.ts'
import type { ArchitectureRule } from './rule.ts'

/** Tests of pure code may use these besides it. */
const TEST_PACKAGES = ['vitest', 'fast-check']
const DATABASE_PACKAGES = ['pg', 'kysely']
const PROGRAMS = ['console', 'server', 'device']

const areaOf = (path: string) => path.split('/', 1)[0] ?? ''

const isInArea = ({ target }: Import, area: string) => target.kind !== 'package' && areaOf(target.name) === area

const isOurs = ({ target }: Import) => target.kind !== 'package' && target.kind !== 'node'

/** Makes a rule that judges each import on its own. */
function importRule(
  name: string,
  why: string,
  isOffence: (module: Module, taken: Import) => boolean,
): ArchitectureRule {
  return {
    name,
    why,
    offences: ({ modules }: Project) =>
      modules.flatMap((module) =>
        module.imports
          .filter((taken) => isOffence(module, taken))
          .map(({ specifier, line }) => ({ path: module.path, line, what: `imports ${specifier}` })),
      ),
  }
}

function isForeignTo(areas: readonly string[], packages: readonly string[]) {
  return ({ path, isTest }: Module, taken: Import) => {
    if (areaOf(path) !== areas[0]) return false
    const allowed = isTest ? [...packages, ...TEST_PACKAGES] : packages
    if (taken.target.kind === 'package') return !allowed.includes(taken.target.name)
    return taken.target.kind === 'node' || !areas.some((area) => isInArea(taken, area))
  }
}

const domainAlone = importRule(
  'domain-alone',
  'domain imports only domain, and the letters of any-ascii: the rules of the product run anywhere and need nothing',
  isForeignTo(['domain'], ['any-ascii']),
)

const contractAlone = importRule(
  'contract-alone',
  'contract imports only contract, domain and zod: both sides of a wire read it',
  isForeignTo(['contract', 'domain'], ['zod']),
)

const programsApart = importRule(
  'programs-apart',
  'console, server and device never import each other, and what their tests share imports none: they meet in contract and domain only',
  ({ path }, taken) =>
    [...PROGRAMS, 'testing'].includes(areaOf(path)) &&
    PROGRAMS.some((area) => area !== areaOf(path) && isInArea(taken, area)),
)

const launcherAlone = importRule(
  'launcher-alone',
  'the launcher of a device imports only Node.js, its own folder and domain/releases: it is never replaced, so it must be small',
  ({ path, isTest }, { target }) =>
    !isTest &&
    path.startsWith('device/launcher/') &&
    target.kind !== 'node' &&
    !/^(device\/launcher|domain\/releases)\//.test(target.name),
)

const productWithoutTools = importRule(
  'product-without-tools',
  'the product never imports tools, trials or e2e: an installation for real use has no need of them',
  ({ path, isTest }, taken) =>
    !isTest &&
    [...PROGRAMS, 'domain', 'contract'].includes(areaOf(path)) &&
    ['tools', 'trials', 'e2e'].includes(areaOf(taken.target.name)) &&
    isOurs(taken),
)

const testSupportInTests = importRule(
  'test-support-in-tests',
  'only tests and trials import from a folder named testing',
  ({ path, isTest }, taken) =>
    !isTest &&
    !path.startsWith('trials/') &&
    !/^[\w.]+\.config\.ts$/.test(path) &&
    isOurs(taken) &&
    /(^|\/)testing\//.test(taken.target.name),
)

const featureOf = (path: string) => /^((?:server|console)\/features\/[^/]+\/[^/]+)\//.exec(path)?.[1]

const featuresApart = importRule(
  'features-apart',
  'a feature never imports another: server/app/features.ts and console/app join them',
  ({ path, isTest }, { target }) => {
    if (isTest && path.startsWith('console/')) return false
    const [own, other] = [featureOf(path), featureOf(target.name)]
    return own !== undefined && other !== undefined && own !== other
  },
)

const LIST_OF_FEATURES = 'server/app/features.ts'

const featuresJoined: ArchitectureRule = {
  name: 'features-joined',
  why: 'server/app/features.ts lists each xFeature of the server: what is in no list answers nothing',
  offences: ({ modules, moduleAt }) => {
    const listed = new Set(moduleAt(LIST_OF_FEATURES)?.imports.map(({ target }) => target.name))
    return modules
      .filter(({ path, isTest }) => path.startsWith('server/features/') && !isTest && !listed.has(path))
      .flatMap(({ path, exports }) =>
        exports
          .filter(({ name, isType }) => name.endsWith('Feature') && !isType)
          .map(({ line, name }) => ({ path, line, what: `exports ${name}, which is not in ${LIST_OF_FEATURES}` })),
      )
  },
}

/** The floors stand from top to bottom: a folder imports only those below it. */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  server: [
    'programs',
    'app',
    'demo',
    'monitoring',
    'features',
    'live',
    'gateway',
    'rollouts',
    'darkness',
    'telemetry',
    'notifications',
    'mail',
    'incidents',
    'fleet',
    'people',
    'secrets',
    'http',
    'backup',
    'jobs',
    'outbound',
    'network',
    'db',
    'metrics',
    'settings',
  ],
  console: ['app', 'features', 'alertParts', 'pickers', 'deviceParts', 'ui', 'lib', 'router'],
}

/** Returns the folder below the area; undefined for a file in the area itself. */
const folderOf = (path: string) => (path.split('/').length > 2 ? path.split('/')[1] : undefined)

function floorOf(path: string): number | undefined {
  const floors = FLOORS[areaOf(path)]
  if (floors === undefined) return undefined
  const folder = folderOf(path)
  // A file of the program itself joins its parts.
  if (folder === undefined) return -1
  const found = floors.indexOf(folder)
  return found === -1 ? undefined : found
}

const downwards = importRule(
  'downwards',
  'imports go down the floors of a program: a part that is used knows nothing of those that use it',
  ({ path, isTest }, { target }) => {
    if (isTest || areaOf(path) !== areaOf(target.name)) return false
    const [from, to] = [floorOf(path), floorOf(target.name)]
    return from !== undefined && to !== undefined && to < from
  },
)

/** Test support may see everything, and `public` is served to browsers unchanged. */
const UNLAYERED = ['testing', 'public']

const knownFloors: ArchitectureRule = {
  name: 'known-floors',
  why: 'a folder of server or console has its floor (tools/architecture/borderRules.ts)',
  offences: ({ modules }) =>
    modules
      .filter(
        ({ path }) =>
          areaOf(path) in FLOORS && !UNLAYERED.includes(folderOf(path) ?? '') && floorOf(path) === undefined,
      )
      .map(({ path }) => ({ path, line: 1, what: `the folder ${folderOf(path)} has no floor` })),
}

const MAY_TOUCH_DATABASE = [
  /^server\/(programs|app|db|jobs|backup|fleet|incidents|mail|notifications|telemetry|darkness|rollouts|gateway)\//,
  /\.store\.ts$/,
  // It says what features are given, connections among it.
  /^server\/features\/feature\.ts$/,
  /^(trials|tools|e2e)\//,
]

const mayTouchDatabase = ({ path, isTest }: Module) =>
  isTest || MAY_TOUCH_DATABASE.some((allowed) => allowed.test(path))

/** A service hands the database on to the functions of its store, so it may name what it hands on. */
const HANDED_ON = ['server/db/database.ts', 'server/db/transaction.ts', 'pg']

const databaseBehindStores = importRule(
  'database-behind-stores',
  'only *.store.ts, the subjects below the features, jobs, programs and app touch the database; others hand it on',
  (module, { target, isTypeOnly }) => {
    if (mayTouchDatabase(module) || (isTypeOnly && HANDED_ON.includes(target.name))) return false
    return target.kind === 'package' ? DATABASE_PACKAGES.includes(target.name) : target.name.startsWith('server/db/')
  },
)

const STATEMENT = /\.(selectFrom|insertInto|updateTable|deleteFrom|query)(<[^>]*>)?\(/

const statementsInStores: ArchitectureRule = {
  name: 'statements-in-stores',
  why: 'a statement stands in *.store.ts or a subject below the features, where a reader looks for what is asked of the database',
  offences: ({ modules }) =>
    modules
      .filter((module) => module.path.startsWith('server/') && !mayTouchDatabase(module))
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, at) =>
            STATEMENT.test(line) ? [{ path, line: at + 1, what: 'asks the database itself' }] : [],
          ),
      ),
}

export const BORDER_RULES: readonly ArchitectureRule[] = [
  domainAlone,
  contractAlone,
  programsApart,
  launcherAlone,
  productWithoutTools,
  testSupportInTests,
  featuresApart,
  featuresJoined,
  downwards,
  knownFloors,
  databaseBehindStores,
  statementsInStores,
]
