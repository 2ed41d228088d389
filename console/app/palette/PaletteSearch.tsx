import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react'
import { LONGEST_TEXT } from '#console/router/addressFields.ts'
import { TAUGHT } from '#domain/questions/taught.ts'
import { type PaletteGroup, type PaletteItem, paletteGroups } from './paletteItems.ts'
import { type PaletteProps, usePaletteItems } from './usePaletteItems.ts'
import type { RequestedList } from './useQuestion.ts'

/** Arrows move through the results while the focus stays in the field (ARIA: combobox with a listbox). */
export function PaletteSearch({ typedBefore, ...props }: PaletteProps & { readonly typedBefore: () => string }) {
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const { items, isSearching, hasFailed, mayOpenDevices, deviceName, asked } = usePaletteItems(typed, props)
  const groups = paletteGroups(items, typed)
  const offered = groups.flatMap((group) => group.items)
  const chosen = Math.min(active, offered.length - 1)
  const onKeyDown = (event: KeyboardEvent) => {
    const last = offered.length - 1
    const next = { ArrowDown: chosen === last ? 0 : chosen + 1, ArrowUp: chosen <= 0 ? last : chosen - 1 }[event.key]
    if (next !== undefined) setActive(next)
    else if (event.key === 'Enter') runOf(offered[chosen])
    else return
    event.preventDefault()
  }
  const label = mayOpenDevices ? 'Search devices, pages and actions' : 'Search pages and actions'
  const placeholder = mayOpenDevices ? 'Search, or try: dark > 30 min in Lyon' : label

  return (
    <div className="palette">
      <TextInput
        role="combobox"
        aria-label={label}
        aria-expanded={offered.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={offered.length > 0 ? `${listId}-${chosen}` : undefined}
        data-autofocus
        size="sm"
        placeholder={placeholder}
        autoComplete="off"
        maxLength={LONGEST_TEXT}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
        onFocus={() => {
          const before = typedBefore()
          if (before) setTyped(before)
        }}
      />
      {asked?.unread !== undefined && <NotUnderstood asked={asked} />}
      <FoundList listId={listId} groups={groups} chosen={chosen} deviceName={deviceName} onPoint={setActive} />
      <p className={offered.length > 0 && !hasFailed ? 'visually-hidden' : 'palette-note'} role="status">
        {noteFor(offered.length, isSearching, hasFailed)}
      </p>
    </div>
  )
}

interface FoundListProps {
  readonly listId: string
  readonly groups: readonly PaletteGroup[]
  /** The index of the chosen option, counted through all groups. */
  readonly chosen: number
  readonly deviceName: string | undefined
  readonly onPoint: (index: number) => void
}

function FoundList({ listId, groups, chosen, deviceName, onPoint }: FoundListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Scrolling to the top keeps the name of the first group in view above its first option.
    if (chosen <= 0) list.current?.scrollTo?.({ top: 0 })
    else document.getElementById(`${listId}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen, listId])
  const offered = groups.flatMap((group) => group.items)
  return (
    <div ref={list} role="listbox" id={listId} aria-label="Found" className="palette-list">
      {groups.map((group, groupIndex) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options within a listbox
        <div key={group.name} role="group" aria-labelledby={`${listId}-group-${groupIndex}`}>
          <div className="palette-group" id={`${listId}-group-${groupIndex}`} role="presentation">
            {group.name}
            {group.name === 'This device' && <span> {deviceName}</span>}
          </div>
          {group.items.map((item) => {
            const index = offered.indexOf(item)
            return (
              <Option
                key={item.id}
                id={`${listId}-${index}`}
                item={item}
                isChosen={index === chosen}
                onPoint={() => onPoint(index)}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

interface OptionProps {
  readonly id: string
  readonly item: PaletteItem
  readonly isChosen: boolean
  readonly onPoint: () => void
}

function Option({ id, item, isChosen, onPoint }: OptionProps) {
  const { icon: Icon, label, detail, refused, to } = item
  const option = {
    id,
    tabIndex: -1,
    'aria-selected': isChosen,
    'aria-disabled': refused === undefined ? undefined : true,
    className: 'palette-option',
    'data-whole': item.id === 'question' || undefined,
    onMouseMove: onPoint,
  }
  const content = (
    <>
      <Icon size={16} stroke={1.7} aria-hidden />
      <span className="palette-label">{label}</span>
      {(refused ?? detail) && <span className="palette-detail">{refused ?? detail}</span>}
    </>
  )
  if (to !== undefined) {
    return (
      <a {...option} role="option" href={to} onClick={(event) => follow(event, item)}>
        {content}
      </a>
    )
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field above
    <div {...option} role="option" tabIndex={-1} onClick={() => runOf(item)}>
      {content}
    </div>
  )
}

function runOf(item: PaletteItem | undefined) {
  if (item?.refused === undefined) item?.run()
}

function follow(event: MouseEvent, item: PaletteItem) {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  runOf(item)
}

/** It says which words the filter understood, which it did not, and what can be asked, before anybody follows it. */
function NotUnderstood({ asked: { says, unread } }: { readonly asked: RequestedList }) {
  return (
    <p className="palette-unread">
      <span>
        I read: <b>{says}</b>
      </span>
      <span>
        Not: <b>{unread}</b>
      </span>
      <span>Lists can be asked: {TAUGHT}</span>
    </p>
  )
}

function noteFor(count: number, isSearching: boolean, hasFailed: boolean): string {
  if (hasFailed) return 'The devices could not be loaded.'
  if (isSearching) return 'Searching…'
  if (count === 0) return 'Nothing found'
  return count === 1 ? '1 found' : `${count} found`
}
