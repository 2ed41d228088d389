import { basename, dirname } from 'node:path/posix'
import { findCycles } from './cycles.ts'
import type { Module, Project } from './project.ts'
import type { ArchitectureRule } from './rule.ts'

const PROGRAMS = /^(contract|domain|server|console|device|tools)\//
/** A folder with this many files holds two subjects, and newcomers read no longer list of names. */
const FULLEST = 30
/** Migrations are numbered and read one after the other. */
const MAY_BE_FULL = [/\/migrations$/]
/** Every program starts in a file of this name. */
const EACH_PROGRAM_HAS = ['main.ts']

/** Test support may see everything, and files of the area itself join its parts. */
function isJoined({ path, isTest }: Module): boolean {
  return PROGRAMS.test(path) && !isTest && !path.includes('/testing/') && dirname(path).includes('/')
}

const foldersInOrder: ArchitectureRule = {
  name: 'folders-in-order',
  why: 'folders that import each other in a circle are one subject in several rooms, or several in one',
  offences: (project) => {
    const arrows = folderArrows(project)
    return findCycles([...arrows.keys()], (folder) => [...(arrows.get(folder)?.keys() ?? [])]).map((circle) => {
      const [first = '', second = ''] = circle
      const taken = arrows.get(first)?.get(second)
      return {
        path: taken?.path ?? first,
        line: taken?.line ?? 1,
        what: `takes its folder into a circle: ${[...circle, first].join(' → ')}`,
      }
    })
  },
}

/** Finds for each folder those that it imports from, with one place of each import. */
function folderArrows({ modules, moduleAt }: Project) {
  const arrows = new Map<string, Map<string, { path: string; line: number }>>()
  for (const module of modules.filter(isJoined)) {
    const from = dirname(module.path)
    const targets = arrows.get(from) ?? new Map<string, { path: string; line: number }>()
    arrows.set(from, targets)
    for (const { target, line } of module.imports) {
      const taken = moduleAt(target.name)
      if (target.kind !== 'module' || taken === undefined || !isJoined(taken)) continue
      const to = dirname(target.name)
      if (to !== from && !targets.has(to)) targets.set(to, { path: module.path, line })
    }
  }
  return arrows
}

const roomyFolders: ArchitectureRule = {
  name: 'roomy-folders',
  why: `a folder holds at most ${FULLEST} modules: beyond, it has rooms`,
  offences: ({ modules }) => {
    const counts = new Map<string, number>()
    for (const { path, isTest } of modules) {
      if (!isTest && PROGRAMS.test(path)) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
    }
    return [...counts]
      .filter(([folder, count]) => count > FULLEST && !MAY_BE_FULL.some((exempt) => exempt.test(folder)))
      .map(([folder, count]) => ({ path: folder, line: 1, what: `holds ${count} modules` }))
  },
}

const nameOnce: ArchitectureRule = {
  name: 'name-once',
  why: 'a name of a module stands once in a program: what is found by its name is then what was meant',
  offences: ({ modules }) => {
    const first = new Map<string, string>()
    return modules
      .filter(({ path, isTest }) => PROGRAMS.test(path) && !isTest && !EACH_PROGRAM_HAS.includes(basename(path)))
      .flatMap(({ path }) => {
        const key = `${path.split('/', 1)[0]} ${basename(path)}`
        const other = first.get(key)
        if (other === undefined) first.set(key, path)
        return other === undefined ? [] : [{ path, line: 1, what: `has the name of ${other}` }]
      })
  },
}

export const FOLDER_RULES: readonly ArchitectureRule[] = [foldersInOrder, roomyFolders, nameOnce]
