import { useState } from 'react'
import { readRemembered, remember } from '#console/lib/remembered.ts'
import type { StatusGroup } from './tiles/tileGroups.ts'

export interface FoldedGroup {
  readonly group: StatusGroup
  readonly isOut: boolean
}

const KEY = 'statusGroups'

/**
 * What is out of range is open, whatever was chosen before. Of the rest the browser remembers what somebody opened;
 * where nothing is out of range, the first display is open.
 */
export function useOpenGroups(groups: readonly FoldedGroup[]) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(() => new Map())
  const [remembered] = useState(() => readRemembered(KEY))
  const first = groups.find(({ group }) => group.isDisplay && group.measured.length > 0) ?? groups[0]
  const isFine = groups.every(({ isOut }) => !isOut)
  const isOpen = ({ group, isOut }: FoldedGroup): boolean => {
    const kept = remembered[group.anchor]
    return (
      chosen.get(group.anchor) ??
      (isOut || (typeof kept === 'boolean' ? kept : isFine && group.anchor === first?.group.anchor))
    )
  }
  const fold = (one: FoldedGroup) => {
    const next = !isOpen(one)
    setChosen((before) => new Map([...before, [one.group.anchor, next]]))
    if (!one.isOut) remember(KEY, { ...readRemembered(KEY), [one.group.anchor]: next })
  }
  return { isOpen, fold }
}
