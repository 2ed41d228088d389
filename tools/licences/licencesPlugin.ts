import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { packagesOf } from '../materials.ts'
import { noticesOfProduct, withTextsOnce } from './notices.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILE = 'licences.json'

const notices = (files: readonly string[]) => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string }
  return JSON.stringify(withTextsOnce(noticesOfProduct(ROOT, version, packagesOf(files))))
}

/** Writes the page of licences: the packages of the console that was just built, and of the server. */
export function licences(): Plugin {
  return {
    name: 'wayside-licences',
    generateBundle(_options, bundle) {
      // Style sheets name fonts, which are no modules.
      const files = Object.values(bundle).flatMap((one) =>
        one.type === 'chunk' ? one.moduleIds : one.originalFileNames.map((name) => join(ROOT, 'console', name)),
      )
      this.emitFile({ type: 'asset', fileName: FILE, source: notices([...files, ...this.getModuleIds()]) })
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        if (request.url !== `/${FILE}`) return next()
        response.setHeader('content-type', 'application/json')
        response.end(notices([]))
      })
    },
  }
}
