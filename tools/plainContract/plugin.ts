import { execFile } from 'node:child_process'
import { relative } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Plugin } from 'vite'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Vite or Vitest may be started by hand under an older Node.js, which reads no TypeScript. */
const NODE = process.features.typescript ? process.execPath : `${ROOT}node_modules/.bin/node`
const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url))

/** Marks a module of the contract that a test imports unchanged. */
const AS_WRITTEN = '?as-written'
const IS_TEST = /\/testing\/|\.test\.tsx?$/

/**
 * Gives the console the contract as plain data, with how to make a call and what its fields have to be, so the browser
 * needs no schema library. Tests import the contract unchanged: their server checks its answers by it.
 */
export function plainContract(): Plugin {
  let writing: Promise<Readonly<Record<string, string>>> | undefined
  // A process of its own reads a changed contract again.
  const write = async () => {
    const { stdout } = await promisify(execFile)(NODE, [PROGRAM], { maxBuffer: 64 * 1024 * 1024 })
    return JSON.parse(stdout) as Readonly<Record<string, string>>
  }
  const isOfContract = (path: string) => relative(ROOT, path).startsWith('contract/')
  return {
    name: 'wayside-plain-contract',
    enforce: 'pre',
    async resolveId(source, importer) {
      const [from = '', mark] = importer?.split('?') ?? []
      const isWanted = mark !== undefined ? `?${mark}` === AS_WRITTEN : IS_TEST.test(from)
      if (!isWanted) return undefined
      const found = await this.resolve(source, importer, { skipSelf: true })
      return found && isOfContract(found.id) ? { ...found, id: `${found.id}${AS_WRITTEN}` } : undefined
    },
    async transform(_code, id) {
      if (id.includes('?') || !isOfContract(id)) return undefined
      writing ??= write()
      const text = (await writing)[relative(ROOT, id)]
      return text === undefined ? undefined : { code: text, map: null }
    },
    hotUpdate({ file, modules }) {
      if (!isOfContract(file)) return modules
      writing = undefined
      const all = [...this.environment.moduleGraph.idToModuleMap.values()]
      return all.filter(({ id }) => id !== null && isOfContract(id))
    },
  }
}
