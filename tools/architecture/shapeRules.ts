import { findCycles } from './cycles.ts'
import type { Import, Module, Project } from './project.ts'
import type { ArchitectureRule, Offence } from './rule.ts'
import { child, children } from './syntax.ts'

const linksResolve: ArchitectureRule = {
  name: 'links-resolve',
  why: 'an import of ours names a file that is there, with its extension',
  offences: ({ modules }) =>
    modules.flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target.kind === 'nowhere')
        .map(({ line, specifier }) => ({ path, line, what: `imports ${specifier}, which is no file` })),
    ),
}

const LONGEST = { module: 350, test: 500 }
const MAY_BE_LONG = [/(^|\/)migrations\//, /\.generated\.tsx?$/, /(^|\/)generated\//]

const shortFiles: ArchitectureRule = {
  name: 'short-files',
  why: `files have about 300 lines (limits: ${LONGEST.module}, tests ${LONGEST.test}): two short files are read sooner than a long one`,
  offences: ({ modules }) =>
    modules
      .filter(({ path }) => !MAY_BE_LONG.some((exempt) => exempt.test(path)))
      .filter(({ isTest, lineCount }) => lineCount > (isTest ? LONGEST.test : LONGEST.module))
      .map(({ path, lineCount }) => ({ path, line: 1, what: `has ${lineCount} lines` })),
}

const DRAWER = /(^|[/.-])(utils?|helpers?|misc|common|shared|stuff)(?=[/.-]|$)|(Utils?|Helpers?)(?=\.)/

const noDrawers: ArchitectureRule = {
  name: 'no-drawers',
  why: 'a file is named after what it is about; utils, helpers, misc, common and shared are about anything',
  offences: ({ files }) =>
    files.filter((path) => DRAWER.test(path)).map((path) => ({ path, line: 1, what: 'is a drawer for anything' })),
}

const noBarrels: ArchitectureRule = {
  name: 'no-barrels',
  why: 'a module that only hands names on hides where things live and makes cycles; import them from where they are',
  offences: ({ modules }) =>
    modules.filter(isBarrel).map(({ path }) => ({ path, line: 1, what: 'only hands names on' })),
}

function isBarrel({ program }: Module): boolean {
  const body = children(program, 'body')
  const handsOn = body.some(({ type }) => type === 'ExportAllDeclaration' || type === 'ExportNamedDeclaration')
  return (
    handsOn &&
    body.every(
      (node) =>
        node.type === 'ImportDeclaration' ||
        node.type === 'ExportAllDeclaration' ||
        (node.type === 'ExportNamedDeclaration' && child(node, 'declaration') === undefined),
    )
  )
}

const noCycles: ArchitectureRule = {
  name: 'no-cycles',
  why: 'modules that import each other in a circle, types included, cannot be understood or moved alone',
  offences: (project) => cyclesOf(project).map((cycle) => asOffence(project, cycle)),
}

function asOffence({ moduleAt }: Project, cycle: readonly string[]): Offence {
  const [first = '', second = first] = cycle
  const taken = moduleAt(first)?.imports.find(({ target }) => target.name === second)
  return { path: first, line: taken?.line ?? 1, what: `is in a circle: ${[...cycle, first].join(' → ')}` }
}

/** Returns one cycle, in order, for each group of modules that reach each other. */
function cyclesOf({ modules, moduleAt }: Project): readonly (readonly string[])[] {
  const next = (path: string) =>
    moduleAt(path)
      ?.imports.filter(isModule)
      .map(({ target }) => target.name) ?? []
  return findCycles(
    modules.map(({ path }) => path),
    next,
  )
}

const isModule = ({ target }: Import) => target.kind === 'module'

export const SHAPE_RULES: readonly ArchitectureRule[] = [linksResolve, shortFiles, noDrawers, noBarrels, noCycles]
