import type { ModbusRegister } from '#domain/drivers/modbusDescription.ts'
import { HardwareError } from '../hardware.ts'
import type { LineTalk } from '../wire/lineTalk.ts'
import { isSilence, ModbusException, readQuestion, readValue, rtuFrame, tcpFrame } from './modbusFrames.ts'

/** Asks one unit; rejects with `ModbusException` when it refuses. */
export type Ask = (question: Buffer) => Promise<Buffer>

const TRANSACTIONS = 0x10000

/** A line is opened anew for each conversation, so its questions are counted from one. */
export function createAsk(talk: LineTalk, { unit, isRtu }: { readonly unit: number; readonly isRtu: boolean }): Ask {
  let transaction = 0
  return (question) => {
    transaction = (transaction + 1) % TRANSACTIONS
    const frame = isRtu ? rtuFrame(question, unit) : tcpFrame(question, unit, transaction)
    return talk.ask(frame.bytes, frame.answerIn)
  }
}

/** Returns undefined if the instrument lacks the register; silence behind its gateway remains an error. */
export async function valueIn(ask: Ask, register: ModbusRegister): Promise<number | undefined> {
  try {
    return readValue(register, await ask(readQuestion(register)))
  } catch (error) {
    if (!(error instanceof ModbusException)) throw error
    if (isSilence(error)) throw new HardwareError(`The instrument is not read: ${error.message}.`)
    return undefined
  }
}
