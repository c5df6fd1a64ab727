import { Button, CloseButton } from '@mantine/core'
import { IconFile, IconPaperclip } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Card } from '../../data/timeline.ts'
import { useFormat } from '../../parts/texts/format.ts'
import classes from './composer.module.css'
import { addDraftFiles, dropDraft, keepWriteDraft, useWriteDraft } from './write-drafts.ts'
import { useWrite } from './writing.ts'

/** Adds files to the card: chosen, dropped or pasted. */
export function FileForm({ card }: { card: Card }) {
  const { t } = useTranslation()
  const { files } = useWriteDraft(card)
  const write = useWrite(card)
  const picker = useRef<HTMLInputElement>(null)
  const add = () => {
    for (const file of files)
      write({
        note: { note_type: 'attachment', params: { file_name: file.name } },
        file,
        draft: { mode: 'file', files: [file] },
      })
    dropDraft(card, 'files')
  }
  return (
    <div className={classes.form}>
      {files.length === 0 ? (
        <p className={classes.hint}>{t('timeline.write.file_hint')}</p>
      ) : (
        <FileList files={files} onRemove={(gone) => keepWriteDraft(card, { files: without(files, gone) })} />
      )}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          addDraftFiles(card, currentTarget.files ?? [])
          currentTarget.value = ''
        }}
      />
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconPaperclip size={15} aria-hidden />}
          onClick={() => picker.current?.click()}
        >
          {t('timeline.write.choose_file')}
        </Button>
        <Button disabled={files.length === 0} onClick={add}>
          {t('timeline.write.add_file')}
        </Button>
      </div>
    </div>
  )
}

const without = (files: File[], gone: File) => files.filter((one) => one !== gone)

function FileList({ files, onRemove }: { files: File[]; onRemove: (file: File) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <ul className={classes.files} aria-label={t('composer.files')}>
      {files.map((file) => (
        <li key={`${file.name} ${file.size} ${file.lastModified}`}>
          <IconFile size={15} stroke={1.7} aria-hidden />
          <span className={classes.name}>{file.name}</span>
          <span className={classes.size}>{format.size(file.size)}</span>
          <CloseButton
            size="sm"
            onClick={() => onRemove(file)}
            aria-label={t('composer.remove', { name: file.name })}
          />
        </li>
      ))}
    </ul>
  )
}
