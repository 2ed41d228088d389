import type { Module, Project } from './project.ts'
import type { ArchitectureRule } from './rule.ts'
import { nameOf, walk } from './syntax.ts'

/** Programs that are no modules of ours read these. */
const ENTRY_POINTS = [
  /^[\w.]+\.config\.ts$/,
  /^(server\/testing\/database|e2e\/support)\/globalSetup\.ts$/,
  /^console\/testing\/setup\.ts$/,
  /\.test\.tsx?$/,
  // The other end of a wire may be somebody else's program.
  /^contract\/(http|mqtt)\//,
]

type Users = Readonly<{ product: Set<string>; tests: Set<string> }>

export const deadCodeRule: ArchitectureRule = {
  name: 'no-dead-code',
  why: 'an exported name is imported by somebody, and what the product exports is used by more than its tests',
  offences: (project) => {
    const users = usersByModule(project)
    return project.modules
      .filter(({ path }) => !ENTRY_POINTS.some((entry) => entry.test(path)))
      .flatMap((module) => offencesOf(module, users.get(module.path) ?? { product: new Set(), tests: new Set() }))
  },
}

function offencesOf(module: Module, { product, tests }: Users) {
  const isUsed = (users: Set<string>, name: string) => users.has(name) || users.has('*')
  const ownUses = countNames(module)
  return module.exports
    .filter(({ name }) => !isUsed(product, name))
    .flatMap(({ name, line, isType }) => {
      const isUsedHere = (ownUses.get(name) ?? 0) > 1
      // A type beside an exported function belongs to what that function promises.
      if (isType && isUsedHere) return []
      if (!isUsed(tests, name)) return [{ path: module.path, line, what: `exports ${name}, which nothing imports` }]
      if (module.isTest || isUsedHere) return []
      return [{ path: module.path, line, what: `exports ${name}, which only tests use` }]
    })
}

function usersByModule({ modules }: Project): Map<string, Users> {
  const users = new Map<string, Users>()
  for (const { path, imports, isTest } of modules) {
    for (const { target, names } of imports) {
      if (target.kind !== 'module' || target.name === path) continue
      const present = users.get(target.name) ?? { product: new Set(), tests: new Set() }
      users.set(target.name, present)
      for (const name of names === 'all' ? ['*'] : names) present[isTest ? 'tests' : 'product'].add(name)
    }
  }
  return users
}

/** Counts how often each name stands in the module, without export lists. */
function countNames({ program }: Module): Map<string, number> {
  const counts = new Map<string, number>()
  walk(program, (node, parent) => {
    if ((node.type !== 'Identifier' && node.type !== 'JSXIdentifier') || parent?.type === 'ExportSpecifier') return
    const name = nameOf(node) ?? ''
    counts.set(name, (counts.get(name) ?? 0) + 1)
  })
  return counts
}
