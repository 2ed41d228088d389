import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import type { BaseMapSquare } from '#console/ui/map/base/baseMapFormat.ts'
import { cutBaseMap } from './cutBaseMap.ts'

const MODULE = fileURLToPath(new URL('../../console/ui/map/base/baseMapFolder.ts', import.meta.url))
const ADDRESS = /^\/assets\/ground\/([\d-]+)\.json$/

/** Cuts the base map when the console is built, into files that a map loads when it shows them. */
export function baseMap(): Plugin {
  let squares: ReadonlyMap<string, BaseMapSquare> | undefined
  return {
    name: 'wayside-ground',
    transform(_code, id) {
      if (id !== MODULE || this.environment.mode !== 'build') return undefined
      const files = [...cutBaseMap()].map(([name, square]) => [`${name}.json`, JSON.stringify(square)] as const)
      const hash = createHash('sha256').update(JSON.stringify(files)).digest('base64url').slice(0, 8)
      for (const [name, source] of files) {
        this.emitFile({ type: 'asset', fileName: `assets/ground-${hash}/${name}`, source })
      }
      return { code: `export const GROUND_FOLDER = '/assets/ground-${hash}/'`, map: null }
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const [, name] = ADDRESS.exec(request.url ?? '') ?? []
        if (name === undefined) return next()
        squares ??= cutBaseMap()
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(squares.get(name)))
      })
    },
  }
}
