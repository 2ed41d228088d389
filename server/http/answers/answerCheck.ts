import { isDeepStrictEqual } from 'node:util'
import type { Call } from '#contract/call/call.ts'

/** Joins the parts and checks the whole document, because a part alone is no JSON that a schema could read. */
export async function* checkedAsWhole(
  call: Call,
  parts: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
  const whole = Buffer.concat(await Array.fromAsync(parts))
  checkAnswer(call, JSON.parse(whole.toString()), true)
  yield whole
}

/** Checks each row before it is passed on. */
export async function* checkedRows(
  call: Call,
  parts: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
  for await (const part of parts) {
    const rows = Buffer.from(part).toString().slice(1).replace(/\]$/, '')
    checkAnswer(call, JSON.parse(`[${rows}]`), true)
    yield part
  }
}

/** @throws Error when an answer is not exactly what the contract says */
export function checkAnswer(call: Call, answer: unknown, isChecked: boolean): void {
  if (!isChecked) return
  const sent: unknown = JSON.parse(JSON.stringify(answer))
  const declared = call.answer.safeParse(sent)
  if (!declared.success) throw new Error(`${call.path} answers off contract: ${declared.error.message}`)
  if (!isDeepStrictEqual(declared.data, sent)) throw new Error(`${call.path} answers more than its contract says.`)
}
