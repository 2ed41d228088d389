import type { CompiledQuery } from 'kysely'
import { planned } from './CheckedDialect.ts'

/** Where a value will stand. */
class StandIn {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A statement of which only the values differ from one time to the next: its text is written once, and each connection
 * parses and plans it once (`planned`). To write the text of a device's columns takes as long as to read a row of them.
 *
 * @param build is given stand-ins, and puts them where values stand; what it decides by looking at them is wrong
 */
export function compiledOnce<Row, Values extends Readonly<Record<string, unknown>>>(
  names: readonly (keyof Values & string)[],
  build: (values: Values) => CompiledQuery<Row>,
): (values: Values) => CompiledQuery<Row> {
  let compiled: CompiledQuery<Row> | undefined
  return (values) => {
    compiled ??= build(Object.fromEntries(names.map((name) => [name, new StandIn(name)])) as unknown as Values)
    const parameters = compiled.parameters.map((one) => (one instanceof StandIn ? values[one.name] : one))
    return planned({ ...compiled, parameters })
  }
}
