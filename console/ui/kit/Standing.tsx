import { type Ref, type RefObject, useImperativeHandle } from 'react'

interface Props {
  readonly button: RefObject<HTMLButtonElement | null>
  readonly ref?: Ref<HTMLButtonElement>
}

/** It is the target of something of the kit that opens beside a button, which stands elsewhere on the page. */
export function Standing({ button, ref }: Props) {
  useImperativeHandle(ref, () => button.current as HTMLButtonElement)
  return null
}
