import { Button, FileButton } from '@mantine/core'
import { IconFileTypeCsv } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams } from '@tanstack/react-router'
import { type DragEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { type ImportedKind, importedKinds, uploadImport } from '../data/jobs.ts'
import { Page } from '../parts/layout/page.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { useRight } from '../shell/use-session.ts'
import classes from './drop-zone.module.css'

const forbidden = new Problem(403, { type: '#forbidden' })
const ACCEPTED = '.csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values'

/** Uploads a file for an import of contacts, companies or leads. */
export function NewImportPage() {
  const { kind } = useParams({ from: '/shell/import/new/$kind' })
  const known = importedKinds.find((one) => one === kind)
  return known ? <NewImport key={known} kind={known} /> : <Navigate to="/import" replace />
}

function NewImport({ kind }: { kind: ImportedKind }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const upload = useMutation(uploadImport(kind))
  if (!useRight(kind, 'add')) throw forbidden
  const ending = useRef<AbortController>(null)
  const send = (file: File) => {
    const controller = new AbortController()
    ending.current = controller
    upload.mutate(
      { file, signal: controller.signal },
      { onSuccess: ({ id }) => navigate({ to: '/import/$jobId', params: { jobId: String(id) } }) },
    )
  }
  const cancel = () => ending.current?.abort()
  return (
    <Page
      title={t(`import.title_${kind}`)}
      lead={t('import.lead')}
      back={{ to: '/import', label: t('jobs.title_page') }}
    >
      <div className={classes.place}>
        <DropZone
          sent={upload.isPending ? upload.variables.file : undefined}
          onFile={send}
          onCancel={cancel}
        />
        <ProblemCallout error={upload.error} />
      </div>
    </Page>
  )
}

interface DropZoneProps {
  /** The file that is being uploaded. */
  sent: File | undefined
  onFile: (file: File) => void
  onCancel: () => void
}

function DropZone({ sent, onFile, onCancel }: DropZoneProps) {
  const { t } = useTranslation()
  const [isOver, setIsOver] = useState(false)
  const reset = useRef<() => void>(null)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    const [file] = event.dataTransfer.files
    if (file && !sent) onFile(file)
  }
  const choose = (file: File | null) => {
    // Allows choosing the same file again after it was corrected.
    reset.current?.()
    if (file) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside works without drag and drop
    <div
      className={classes.zone}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragEnter={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <IconFileTypeCsv size={28} stroke={1.4} aria-hidden />
      <p className={classes.title}>{t('import.drop')}</p>
      <p className={classes.text}>{t('import.drop_text')}</p>
      <FileButton resetRef={reset} accept={ACCEPTED} onChange={choose}>
        {(props) => (
          <Button loading={sent !== undefined} {...props}>
            {t('import.choose_file')}
          </Button>
        )}
      </FileButton>
      {sent && <Uploading file={sent} onCancel={onCancel} />}
    </div>
  )
}

function Uploading({ file, onCancel }: { file: File; onCancel: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      <p role="status">{t('import.uploading', { name: file.name, size: format.size(file.size) })}</p>
      <Button variant="subtle" color="gray" onClick={onCancel}>
        {t('act.cancel')}
      </Button>
    </>
  )
}
