import type { Plugin } from 'vite'

/**
 * It refuses a console whose scripts import each other in a circle: one of them would run before what it needs is there.
 * A group in `vite.config.ts` that has all modules which only its own modules need makes no circle.
 */
export function noChunksInCircle(): Plugin {
  return {
    name: 'wayside-no-chunks-in-circle',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
      const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]))
      const circle = findCircle(importsOf)
      if (circle === undefined) return
      const modules = circle.map((name) => {
        const its = chunks.find(({ fileName }) => fileName === name)?.moduleIds ?? []
        return `${name}:\n  ${its.join('\n  ')}`
      })
      this.error(`These scripts import each other in a circle:\n${modules.join('\n')}`)
    },
  }
}

/** Finds names that lead back to the first of them; undefined when there are none. */
export function findCircle(importsOf: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>()
  const follow = (name: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(name)) return path.slice(path.indexOf(name))
    if (done.has(name)) return undefined
    done.add(name)
    for (const next of importsOf.get(name) ?? []) {
      const found = follow(next, [...path, name])
      if (found) return found
    }
    return undefined
  }
  for (const name of importsOf.keys()) {
    const found = follow(name, [])
    if (found) return found
  }
  return undefined
}
