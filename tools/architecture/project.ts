import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path/posix'
import { parseSync } from 'vite'
import { type Exported, exportsOf, type Link, linksOf } from './links.ts'
import type { Node } from './syntax.ts'

/** The target of a link: a module or another file of ours, by its path from the root, or a package by its name. */
export type Target = Readonly<{ kind: 'module' | 'file' | 'package' | 'node' | 'nowhere'; name: string }>

export type Import = Link & Readonly<{ line: number; target: Target }>

export type Module = Readonly<{
  path: string
  text: string
  lineCount: number
  program: Node
  comments: readonly Readonly<{ type: 'Line' | 'Block'; value: string; start: number }>[]
  imports: readonly Import[]
  exports: readonly (Exported & { line: number })[]
  isTest: boolean
  lineOf: (node: Readonly<{ start: number }>) => number
}>

export type Manifest = Readonly<{
  engines?: Readonly<{ node?: string }>
  imports?: Readonly<Record<string, string>>
  dependencies?: Readonly<Record<string, string>>
  optionalDependencies?: Readonly<Record<string, string>>
  devDependencies?: Readonly<Record<string, string>>
}>

export type Project = Readonly<{
  root: string
  /** Lists every source file, whether or not it could be read. */
  files: readonly string[]
  modules: readonly Module[]
  unreadable: readonly Readonly<{ path: string; line: number; why: string }>[]
  manifest: Manifest
  moduleAt: (path: string) => Module | undefined
}>

const SKIPPED = new Set(['node_modules', 'dist', 'data', 'test-results', '.git', '.cache'])
const SOURCE = /\.(ts|tsx|js|mjs)$/

/** What is installed, on servers, devices and in browsers; tools, trials and tests are not. */
export const isProduct = ({ path, isTest }: Module) =>
  !isTest && /^(contract|domain|server|console|device)\//.test(path)

export function readProject(root: string): Project {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
  const files = listFiles(root).filter((path) => SOURCE.test(path))
  const read = files.map((path) => readModule(root, path, manifest))
  const modules = read.filter((each): each is Module => 'program' in each)
  const byPath = new Map(modules.map((module) => [module.path, module]))
  return {
    root,
    files,
    modules,
    unreadable: read.filter((each) => 'why' in each),
    manifest,
    moduleAt: (path) => byPath.get(path),
  }
}

export function listFiles(root: string, folder = ''): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listFiles(root, path)
    return entry.isFile() ? [path] : []
  })
}

function readModule(root: string, path: string, manifest: Manifest): Module | Project['unreadable'][number] {
  const text = readFileSync(join(root, path), 'utf8')
  const starts = lineStarts(text)
  const lineOf = ({ start }: { start: number }) => starts.findLastIndex((each) => each <= start) + 1
  const { program, comments, errors } = parseSync(path, text)
  const [error] = errors
  if (error !== undefined) {
    return { path, line: lineOf({ start: error.labels[0]?.start ?? 0 }), why: error.message }
  }
  const tree = program as unknown as Node
  return {
    path,
    text,
    lineCount: starts.length - (text.endsWith('\n') ? 1 : 0),
    program: tree,
    comments,
    imports: linksOf(tree).map((link) => ({
      ...link,
      line: lineOf(link),
      target: resolve(root, path, link.specifier, manifest),
    })),
    exports: exportsOf(tree).map((each) => ({ ...each, line: lineOf(each) })),
    isTest: /\.test\.tsx?$/.test(path) || /(^|\/)testing\//.test(path) || path.startsWith('e2e/'),
    lineOf,
  }
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function resolve(root: string, from: string, specifier: string, { imports = {} }: Manifest): Target {
  if (isBuiltin(specifier)) return { kind: 'node', name: specifier }
  const withoutQuery = specifier.replace(/\?.*$/, '')
  const path = withoutQuery.startsWith('.') ? join(from, '..', withoutQuery) : fromShortName(withoutQuery, imports)
  if (path === undefined) return { kind: 'package', name: packageName(withoutQuery) }
  if (!existsSync(join(root, path))) return { kind: 'nowhere', name: path }
  return { kind: SOURCE.test(path) ? 'module' : 'file', name: path }
}

function fromShortName(specifier: string, imports: Readonly<Record<string, string>>): string | undefined {
  if (!specifier.startsWith('#')) return undefined
  for (const [pattern, target] of Object.entries(imports)) {
    const prefix = pattern.slice(0, pattern.indexOf('*'))
    if (specifier.startsWith(prefix)) return join(target.replace('*', specifier.slice(prefix.length)))
  }
  return specifier
}

function packageName(specifier: string): string {
  const parts = specifier.split('/')
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}
