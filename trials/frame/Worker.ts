import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A process of its own that answers one message with one message. */
export class Worker {
  readonly child: ChildProcess

  constructor(file: URL, execArgv: readonly string[] = [], env: NodeJS.ProcessEnv = process.env) {
    this.child = fork(file, [], {
      execArgv: [...execArgv],
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
  }

  async ask<Answer>(question: object): Promise<Answer> {
    this.child.send(question)
    const answered = new AbortController()
    const { signal } = answered
    const ended = once(this.child, 'exit', { signal }).then(([code]) => {
      throw new Error(`A process of the trial ended with ${code}.`)
    })
    try {
      const [answer] = await Promise.race([once(this.child, 'message', { signal }), ended])
      return answer as Answer
    } finally {
      ended.catch(() => undefined)
      answered.abort()
    }
  }

  async end(): Promise<void> {
    if (!this.child.connected) return
    this.child.disconnect()
    await once(this.child, 'exit')
  }
}
