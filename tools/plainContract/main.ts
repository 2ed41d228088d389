// Writes the contract for the browser: each module that needs zod, by its path, as the text of a plain module.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { plainModule } from './plainModule.ts'

const ROOT = new URL('../../', import.meta.url)

const paths = globSync('contract/**/*.ts', { cwd: ROOT }).filter((path) => !path.endsWith('.test.ts'))
const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

/** Finds the modules of which a module takes values, ours by their path from the root. */
function takes(path: string): readonly string[] {
  const specifiers = textOf(path).matchAll(/^(?:import|export) (?!type )[^'"]*from '([^']+)'/gm)
  return [...specifiers].map(([, specifier = '']) =>
    specifier.startsWith('.') ? join(dirname(path), specifier) : specifier.replace(/^#/, ''),
  )
}

const deps = new Map(paths.map((path) => [path, takes(path)]))

function needsZod(path: string): boolean {
  return (deps.get(path) ?? []).some((taken) => taken === 'zod' || needsZod(taken))
}

const modules: Record<string, string> = {}
for (const path of paths.filter(needsZod)) {
  modules[path] = plainModule((await import(new URL(path, ROOT).href)) as Record<string, unknown>)
}
process.stdout.write(JSON.stringify(modules))
