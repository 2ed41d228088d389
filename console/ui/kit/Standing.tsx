import { type Ref, type RefObject, useImperativeHandle } from 'react'

interface Props {
  readonly target: RefObject<HTMLElement | null>
  readonly ref?: Ref<HTMLElement>
}

/** It is the target of something of the kit that opens beside an element, which stands elsewhere on the page. */
export function Standing({ target, ref }: Props) {
  useImperativeHandle(ref, () => target.current as HTMLElement)
  return null
}
