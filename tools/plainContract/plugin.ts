import { execFile } from 'node:child_process'
import { relative } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Plugin } from 'vite'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Whoever starts Vite or Vitest by hand may do so under an older Node, which reads no TypeScript. */
const NODE = process.features.typescript ? process.execPath : `${ROOT}node_modules/.bin/node`
const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url))

/** Marks a module of the contract that a test has as it is written. */
const AS_WRITTEN = '?as-written'
const IS_TEST = /\/testing\/|\.test\.tsx?$/

/**
 * The console has the contract as plain data: how to make a call, and what its fields have to be. So the browser needs
 * no schema library. Tests have the contract as it is written: their server checks its answers by it.
 */
export function plainContract(): Plugin {
  let writing: Promise<Readonly<Record<string, string>>> | undefined
  // In a process of its own, so that a contract that was changed is read anew.
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
