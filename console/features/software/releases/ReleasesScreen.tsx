import { FileButton } from '@mantine/core'
import { IconHelpCircle, IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useRemoval } from '#console/lib/list/useRemoval.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Badge } from '#console/ui/Badge.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { deleteRelease, listReleases, type Release, type ReleaseList } from '#contract/http/software/releases.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { RefusedFiles, RefusedUploads } from './RefusedFiles.tsx'
import { ReleaseTable } from './ReleaseTable.tsx'
import { useFileDrop } from './useFileDrop.ts'
import { useUploadReleases } from './useUploadReleases.ts'
import './releases.css'

export function ReleasesScreen() {
  const releases = useCall(listReleases, {}, { refreshEveryMs: REFRESH_EVERY_MS.ofFolder })
  const { upload, isUploading, refused, dismiss } = useUploadReleases()
  const isDragging = useFileDrop(upload)
  const button = useRef<HTMLButtonElement>(null)
  usePaletteCommands([
    {
      actionId: 'release.upload',
      label: 'Upload release',
      searchTerms: 'new add client version',
      icon: IconUpload,
      run: () => button.current?.click(),
    },
  ])

  return (
    <Screen
      title="Device software"
      actions={
        <FileButton multiple accept=".mjs" onChange={upload}>
          {(props) => (
            <ActionButton icon={IconUpload} isMain {...props} ref={button} loading={isUploading}>
              Upload release
            </ActionButton>
          )}
        </FileButton>
      }
    >
      {isDragging && (
        <div className="release-drop" aria-hidden>
          <IconUpload size={36} stroke={1.4} />
          <strong>Drop the release here</strong>
        </div>
      )}
      <RefusedUploads refused={refused} onDismiss={dismiss} />
      <AsyncView query={releases}>{(list) => <Releases list={list} />}</AsyncView>
    </Screen>
  )
}

function Releases({
  list: { rows: listed, refusedFiles, keyCount, folder, versions },
}: {
  readonly list: ReleaseList
}) {
  const { remove, isGone } = useRemoval(deleteRelease, {
    title: 'Remove release',
    question: ({ version }: Release) => deviceMessages.confirmRemoveRelease(version),
    done: ({ version }) => deviceMessages.releaseRemoved(version),
  })
  const rows = listed.filter((row) => !isGone(row))
  return (
    <div className="releases">
      {keyCount === 0 && (
        <FormNote
          kind="failed"
          text="The server has no release key yet, so it refuses every file. Make a release with npm run release: its first use makes the key."
        />
      )}
      <Panel>
        {rows.length === 0 ? (
          <EmptyNote title="There is no release yet">
            <p>Upload one, drop it on this page, or put it into the folder below.</p>
          </EmptyNote>
        ) : (
          <ReleaseTable releases={rows} onRemove={remove} />
        )}
        <p className="release-folder">
          Files in <code className="mono">{folder}</code> are added automatically.
        </p>
      </Panel>
      {refusedFiles.length > 0 && <RefusedFiles files={refusedFiles} />}
      {versions.length > 0 && (
        <VersionShares versions={versions} newest={rows.find(({ isNewest }) => isNewest)?.version} />
      )}
    </div>
  )
}

interface Props {
  readonly versions: ReleaseList['versions']
  readonly newest: string | undefined
}

function VersionShares({ versions, newest }: Props) {
  const total = versions.reduce((sum, { deviceCount }) => sum + deviceCount, 0)
  return (
    <Panel title="What devices run" meta={`${formatNumber(total)} devices`} isPadded>
      <ul className="version-shares">
        {versions.map(({ version, deviceCount }) => (
          <li key={version ?? ''} data-newest={(version !== null && version === newest) || undefined}>
            <span className="version-share-name">
              {version ?? (
                <Badge tone="off" icon={IconHelpCircle}>
                  Not reported yet
                </Badge>
              )}
            </span>
            <span className="version-share-bar" aria-hidden>
              <i style={{ width: `${total === 0 ? 0 : (deviceCount / total) * 100}%` }} />
            </span>
            <span className="version-share-count">{formatNumber(deviceCount)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
