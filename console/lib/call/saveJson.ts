import { saveFile } from './download.ts'

/** It saves what the call has answered, for programs. */
export function saveJson(name: string, content: object): void {
  saveFile(`${name}.json`, new Blob([`${JSON.stringify(content, null, 2)}\n`], { type: 'application/json' }))
}
