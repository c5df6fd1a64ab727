import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadOf, type StoredFile } from '../data/drive.ts'
import { eraseFile, restoreFile, trashFile } from '../data/files.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useFocusNear } from '../parts/dialogs/use-opener-focus.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { DataTable } from '../parts/lists/data-table.tsx'
import { RowButtons } from '../parts/lists/row-buttons.tsx'
import { PersonName } from '../parts/people/person-name.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { FileCards } from './file-cards.tsx'
import classes from './files.module.css'

/** Files with their sizes. Those in the trash cannot be downloaded, and can be restored. */
export function FileTable({ files }: { files: StoredFile[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [removing, setRemoving] = useState<StoredFile>()
  return (
    <>
      <DataTable
        label={t('files.title')}
        rows={files}
        rowKey={({ uuid }) => uuid}
        columns={[
          { title: t('field.name'), cell: (file) => <FileName file={file} /> },
          {
            title: t('files.size'),
            narrow: true,
            cell: ({ size }) => <span className={classes.whole}>{format.size(size)}</span>,
          },
          {
            title: t('files.by'),
            showFrom: 'wide',
            cell: ({ created_by }) => <PersonName id={created_by.id} />,
          },
          {
            title: t('files.at'),
            showFrom: 'medium',
            narrow: true,
            cell: ({ created_at, deleted_at }) => (
              <span className={classes.whole}>{format.date(deleted_at ?? created_at)}</span>
            ),
          },
          {
            title: t('files.actions'),
            actions: true,
            cell: (file) => (
              <div className={classes.actions}>
                {file.is_trashed && <Restore file={file} />}
                <RowButtons name={fullNameOf(file)} onRemove={() => setRemoving(file)} />
              </div>
            ),
          },
        ]}
      />
      <RemoveFile file={removing} onClose={() => setRemoving(undefined)} />
    </>
  )
}

const fullNameOf = ({ name, metadata: { extension } }: StoredFile) =>
  extension === '' ? name : `${name}.${extension}`

function FileName({ file }: { file: StoredFile }) {
  if (file.is_trashed) return <span className={classes.name}>{fullNameOf(file)}</span>
  return (
    <a className={classes.name} href={downloadOf(file.uuid)} download>
      {fullNameOf(file)}
    </a>
  )
}

/** Takes a file out of the trash, and with it its row out of the list. A disabled button would lose the focus. */
function Restore({ file }: { file: StoredFile }) {
  const { t } = useTranslation()
  const restore = useAction(restoreFile, t('files.restored'))
  const button = useRef<HTMLButtonElement>(null)
  useFocusNear(button)
  return (
    <Button
      ref={button}
      variant="default"
      size="xs"
      onClick={() => restore.run(file.uuid)}
      aria-label={t('files.restore_of', { name: fullNameOf(file) })}
    >
      {t('files.restore')}
    </Button>
  )
}

interface RemoveProps {
  file: StoredFile | undefined
  onClose: () => void
}

/** Asks before a file is moved to the trash, or deleted permanently if it is there. */
function RemoveFile({ file, onClose }: RemoveProps) {
  const { t } = useTranslation()
  const isErased = file?.is_trashed === true
  const action = useAction(isErased ? eraseFile : trashFile, t(isErased ? 'files.erased' : 'files.removed'))
  const name = file ? fullNameOf(file) : ''
  return (
    <Confirm
      opened={file !== undefined}
      title={t(isErased ? 'files.erase_title' : 'files.remove_title', { name })}
      action={t(isErased ? 'files.erase' : 'files.remove')}
      pending={action.pending}
      onConfirm={() => file && action.run(file.uuid, onClose)}
      onClose={onClose}
    >
      <p>{t(isErased ? 'files.erase_text' : 'files.remove_text')}</p>
      {file && !isErased && <FileCards uuid={file.uuid} />}
    </Confirm>
  )
}
