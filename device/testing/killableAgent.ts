import { appendFileSync, closeSync, fsyncSync, openSync } from 'node:fs'
import type { DeviceStore } from '#device/agent/store/deviceStore.ts'
import type { Hardware } from '#device/hardware/hardware.ts'
import { type KillStep, ledgerFile } from './killSteps.ts'
import { startTestAgent } from './testAgent.ts'

let armed: KillStep | undefined

function reach(step: KillStep): void {
  if (step !== armed) return
  process.kill(process.pid, 'SIGKILL')
  // This program must not run another line, however long the signal takes.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

function killableStore(store: DeviceStore): DeviceStore {
  return {
    ...store,
    isFirst: (...args) => {
      reach('beforeId')
      const isFirst = store.isFirst(...args)
      reach('afterId')
      return isFirst
    },
    keepReply: (...args) => {
      reach('beforeReplyKept')
      store.keepReply(...args)
      reach('afterReplyKept')
    },
  }
}

/** Every method of a part that acts is written to the ledger first. */
function withLedger<Part extends object>(part: Part | undefined, name: string, folder: string): Part | undefined {
  if (!part) return undefined
  return new Proxy(part, {
    get: (target, method) => {
      const act = Reflect.get(target, method)
      if (method === 'read' || typeof act !== 'function') return act
      return async (...args: unknown[]) => {
        const ledger = openSync(ledgerFile(folder), 'a')
        appendFileSync(ledger, `${name}.${String(method)} ${JSON.stringify(args)}\n`)
        fsyncSync(ledger)
        closeSync(ledger)
        reach('hardwareBegun')
        return act.apply(target, args)
      }
    },
  })
}

function killableHardware(hardware: Hardware, folder: string): Hardware {
  return {
    ...hardware,
    ups: () => withLedger(hardware.ups(), 'ups', folder),
    relay: (number) => withLedger(hardware.relay(number), `relay ${number}`, folder),
    routerRelay: (number) => withLedger(hardware.routerRelay(number), `router ${number}`, folder),
    answerDelayMs: () => {
      reach('beforePublish')
      return 0
    },
  }
}

/** This runs as its own program: broker address and folder on the command line, the step at which to die by message. */
const [url = '', folder = ''] = process.argv.slice(2)
startTestAgent({
  url,
  folder,
  modelId: 22,
  lookEveryMs: 1000,
  aroundStore: killableStore,
  aroundHardware: (hardware) => killableHardware(hardware, folder),
})
process.on('message', (step: KillStep) => {
  armed = step
  process.send?.('armed')
})
process.on('disconnect', () => process.exit())
