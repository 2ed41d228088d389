import { Button, Drawer } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { settingChanges } from '#console/deviceParts/settings/settingFields.ts'
import { send } from '#console/lib/call/api.ts'
import type { CallFailed } from '#console/lib/call/CallFailed.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { EmptyNote, FailedNote } from '#console/ui/notes.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import { listSettingChanges, type SettingChange } from '#contract/http/devices/setup.ts'
import type { SettingsSection } from '#contract/mqtt/settings.ts'

type Arguments = Readonly<Record<string, unknown>>

interface SettingHistoryProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly section: SettingsSection
  readonly number: number
  /** The desired values, otherwise those of the device. */
  readonly now: Arguments | null
  readonly restore: (args: Arguments) => Promise<void>
}

const TITLES: Readonly<Record<SettingsSection, string>> = {
  display: 'Display settings',
  ambientSensor: 'Ambient light sensor',
  turnOff: 'Turn display(s) off',
  dayPlan: 'Brightness by time',
  batteryTest: 'Battery test',
  dataBudget: 'Data budget',
}

export function SettingHistory({ isOpen, onClose, ...of }: SettingHistoryProps) {
  const title = `History: ${TITLES[of.section]}${of.number > 1 ? ` ${of.number}` : ''}`
  return (
    <Drawer opened={isOpen} onClose={onClose} size={440} title={title}>
      {isOpen && <Changes {...of} onRestored={onClose} />}
    </Drawer>
  )
}

type ChangesProps = Omit<SettingHistoryProps, 'isOpen' | 'onClose'> & { readonly onRestored: () => void }

function Changes({ section, number, now, restore, onRestored }: ChangesProps) {
  const { id: deviceId } = useOpenDevice()
  const pages = useInfiniteQuery({
    queryKey: [listSettingChanges.path, { deviceId, section, number }],
    queryFn: ({ pageParam, signal }) => {
      const of = { deviceId, section, number }
      return send(listSettingChanges, { query: pageParam === null ? of : { ...of, next: pageParam }, signal })
    },
    meta: { shows: listSettingChanges.shows ?? [] },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  if (!pages.data) {
    const failure = pages.error as CallFailed | null
    return failure ? <FailedNote failure={failure} onRetry={() => void pages.refetch()} /> : <Skeleton />
  }
  const rows = pages.data.pages.flatMap((page) => page.rows)
  if (rows.length === 0) return <EmptyNote title="Not set yet" />
  return (
    <>
      <ol className="setting-changes" aria-label="Changes, newest first">
        {rows.map((row) => (
          <Change key={row.id} row={row} section={section} now={now} restore={restore} onRestored={onRestored} />
        ))}
      </ol>
      {pages.hasNextPage && (
        <Button
          variant="default"
          fullWidth
          loading={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          Show older
        </Button>
      )}
    </>
  )
}

interface ChangeProps extends Pick<ChangesProps, 'section' | 'now' | 'restore' | 'onRestored'> {
  readonly row: SettingChange
}

function Change({ row: { at, by, before, after }, section, now, restore, onRestored }: ChangeProps) {
  const changes = settingChanges(section, before, after)
  const wayBack = settingChanges(section, now, after)
  const bringBack = async () => {
    const text = wayBack.map(({ label, before: present, after: then }) => `${label}: ${present} → ${then}`).join('\n')
    const question = `Set this as it was from ${formatDateTime(at)} on?`
    if (!(await confirmDialog({ title: 'Restore settings', text: `${text}\n\n${question}` }))) return
    onRestored()
    await restore(Object.fromEntries(wayBack.map(({ key }) => [key, after[key]])))
  }
  return (
    <li className="setting-change">
      <p>
        <b>{by || 'Unknown'}</b> <time dateTime={at}>{formatDateTime(at)}</time>
      </p>
      <ul>
        {changes.map(({ key, label, before: was, after: is }) => (
          <li key={key}>
            <span>{label}</span> {was} → <b>{is}</b>
          </li>
        ))}
        {changes.length === 0 && <li>The same settings once more</li>}
      </ul>
      {wayBack.length > 0 ? (
        <ActionButton icon={IconArrowBackUp} iconSize={13} size="compact-xs" onClick={() => void bringBack()}>
          Restore
          <span className="visually-hidden">
            {' '}
            what {by} set, {formatDateTime(at)}
          </span>
        </ActionButton>
      ) : (
        <small>As it is now</small>
      )}
    </li>
  )
}
