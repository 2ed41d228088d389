// `npm run client` writes the package of the typed client to dist/client.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CLIENT_CALLS, makeClient } from './makeClient.ts'

const ROOT = new URL('../../', import.meta.url)
const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string }
const folder = fileURLToPath(new URL('dist/client', ROOT))
makeClient(folder, version)
console.log(`${folder}: wayside-client ${version}, ${CLIENT_CALLS.length} calls. Pack it with: npm pack ./dist/client`)
