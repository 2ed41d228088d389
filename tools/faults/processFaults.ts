import type { Fault } from './fault.ts'

export const PROCESS_FAULTS: readonly Fault[] = [
  {
    name: 'A process without jobs leads all the same',
    file: 'server/app/server.ts',
    replace: "if (config.roles.includes('jobs')) background.start",
    by: 'background.start',
    foundBy: ['server/app/processRoles.test.ts'],
  },
  {
    name: 'Devices reach a process that is none for devices',
    file: 'server/app/mqttServer.ts',
    replace: "    listens: config.roles.includes('gateway'),\n",
    by: '',
    foundBy: ['server/app/processRoles.test.ts'],
  },
  {
    name: 'Silence is judged although devices can reach no process',
    file: 'server/darkness/waiting/outages.ts',
    replace: 'where listens and lease_until > now()',
    by: 'where lease_until > now()',
    foundBy: ['server/darkness/waiting/waitingJob.test.ts'],
  },
  {
    name: 'A process does not add what another counted',
    file: 'server/http/limits/rateLimits.ts',
    replace: 'share((subject, more) => void count(subject, more, performance.now()))',
    by: 'share(() => undefined)',
    foundBy: ['server/app/sharedLimits.test.ts'],
  },
  {
    name: 'Places of a process that is gone stay taken',
    file: 'server/http/limits/SharedCounts.store.ts',
    replace:
      'if (performance.now() - one.toldAtMs > this.#forgottenAfterMs) byProcess.delete(process)\n      else count += one.count',
    by: 'count += process === this.#processId ? 0 : one.count',
    foundBy: ['server/app/sharedLimits.test.ts'],
  },
  {
    name: 'What is held is told once only',
    file: 'server/http/limits/SharedCounts.store.ts',
    replace: 'for (const [key, entry] of this.#held) this.#heldToTell.set(key, entry)',
    by: '',
    foundBy: ['server/app/sharedLimits.test.ts'],
  },
  {
    name: 'The gateway counts wrong keys by itself',
    file: 'server/gateway/gateway.ts',
    replace: '      shareWrongKeys: this.#options.shareWrongKeys,\n',
    by: '',
    foundBy: ['server/app/sharedLimits.test.ts'],
  },
  {
    name: 'A secret and its file together are taken, and one of them is silently ignored',
    file: 'server/settings/config.ts',
    replace: 'if (text !== undefined && file !== undefined) throw',
    by: 'if (text !== undefined && file === name) throw',
    foundBy: ['server/settings/config.test.ts'],
  },
]
