import { IconFileX, IconX } from '@tabler/icons-react'
import { Age } from '#console/ui/Age.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { ReleaseList } from '#contract/http/software/releases.ts'
import '#console/ui/form/FormNote.css'

export interface RefusedUpload {
  readonly fileName: string
  readonly reason: string
}

interface RefusedUploadsProps {
  readonly refused: readonly RefusedUpload[]
  readonly onDismiss: () => void
}

/** It stays until it is dismissed or another file is uploaded, because its reason is too long for a toast. */
export function RefusedUploads({ refused, onDismiss }: RefusedUploadsProps) {
  if (refused.length === 0) return null
  return (
    <div className="form-note form-note-failed release-refusal" role="alert">
      <IconFileX size={17} aria-hidden />
      <ul>
        {refused.map(({ fileName, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same file can be refused twice
          <li key={index}>
            <b>{fileName}</b> was rejected. {reason}
          </li>
        ))}
      </ul>
      <IconButton icon={IconX} iconSize={15} tip="Dismiss" size={24} onClick={onDismiss} />
    </div>
  )
}

/** These files of the folder are no releases, each for the reason shown. */
export function RefusedFiles({ files }: { readonly files: ReleaseList['refusedFiles'] }) {
  return (
    <Panel title="Rejected files in the folder" meta={files.length}>
      <ul className="refused-files">
        {files.map(({ fileName, reason, refusedAt }) => (
          <li key={fileName}>
            <b>{fileName}</b>
            <span className="dim">
              <Age at={refusedAt} />
            </span>
            <p>{reason}</p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
