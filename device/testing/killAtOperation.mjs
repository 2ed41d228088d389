// This is loaded before launcher and client (`--import`), therefore plain JavaScript, which starts at once. Every
// change of the folder that they share is noted in a ledger, and after the one that KILL_AT names the whole process
// group is killed, as in a power cut. Changes that match FAIL_AT find the disk full.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, sep } from 'node:path'

const { KILL_AT, KILL_LEDGER = '', FAIL_AT } = process.env
const words = process.argv.slice(1).join(' ')
const program = words.includes('wayside-launcher') ? 'launcher' : words.includes('--trial') ? 'trial' : 'agent'
const { appendFileSync, readFileSync } = fs
/** @type {Map<number, string>} */
const opened = new Map()

/** @param {unknown} path */
const isShared = (path) => String(path).includes(`${sep}client${sep}`) && !String(path).includes('.lock')
/**
 * The name is the same in every round, whatever the content is.
 * @param {unknown} path
 */
const nameOf = (path) => basename(String(path)).replace(/^[0-9a-f]{64}/, 'sha256')

/** @param {string} operation @param {unknown} path */
const stepOf = (operation, path) => `${program} ${operation} ${nameOf(path)}`.trim()

/** @param {string} step */
function reached(step) {
  appendFileSync(KILL_LEDGER, `${step}\n`)
  if (KILL_AT === undefined) return
  const [wanted = '', count = '1'] = KILL_AT.split('#')
  if (step !== wanted) return
  const times = readFileSync(KILL_LEDGER, 'utf8')
    .split('\n')
    .filter((line) => line === wanted).length
  if (times !== Number(count)) return
  process.kill(0, 'SIGKILL')
  // This program must not run another line, however long the signal takes.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

/** @param {'renameSync' | 'rmSync' | 'writeSync' | 'fsyncSync' | 'openSync'} name */
function around(name) {
  const original = fs[name]
  const watched = (...args) => {
    const [first, second] = args
    const path = name === 'writeSync' || name === 'fsyncSync' ? opened.get(Number(first)) : first
    const isNoted = isShared(`${path}${sep}`) && (name !== 'openSync' || second !== 'r')
    const step = stepOf(name, name === 'renameSync' ? second : path)
    if (isNoted && FAIL_AT !== undefined && new RegExp(FAIL_AT).test(step)) {
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    }
    const result = original(...args)
    if (name === 'openSync') opened.set(Number(result), String(first))
    if (isNoted) reached(step)
    return result
  }
  Object.assign(fs, { [name]: watched })
}

for (const name of ['renameSync', 'rmSync', 'writeSync', 'fsyncSync', 'openSync']) around(name)
syncBuiltinESMExports()
reached(stepOf('starts', ''))
