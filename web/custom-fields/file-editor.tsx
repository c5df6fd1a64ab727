import { Button, FileButton, Progress } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { upload } from '../data/drive.ts'
import { useProblemText } from '../parts/layout/problem-text.ts'
import classes from './editor-box.module.css'
import { EditorBox } from './editor-box.tsx'
import type { EditorProps } from './field-editor.tsx'

/** Uploads a file to the drive, replacing the current one. */
export function FileEditor({ field, value, onSave, onCancel }: EditorProps) {
  const { t } = useTranslation()
  const problemText = useProblemText()
  const [share, setShare] = useState<number>()
  const [fault, setFault] = useState<string>()
  const uploading = useRef<AbortController>(null)
  const cancel = () => {
    uploading.current?.abort()
    onCancel()
  }
  const take = async (file: File | null) => {
    if (!file) return
    setFault(undefined)
    setShare(0)
    const controller = new AbortController()
    uploading.current = controller
    const { signal } = controller
    try {
      const file_uuid = await upload(file, setShare, signal)
      if (!signal.aborted) onSave([{ value: { file_uuid, file_name: file.name, file_size: file.size } }])
    } catch (error) {
      const { title, detail = title } = problemText(error)
      setFault(detail)
      setShare(undefined)
    }
  }
  // The browser's file dialog takes the focus; this must not close the editor.
  return (
    <EditorBox onSave={() => {}} onCancel={cancel} isChanged={share !== undefined} fault={fault}>
      {share !== undefined && (
        <Progress value={share * 100} aria-label={t('value.uploading', { name: field.name })} />
      )}
      <div className={classes.buttons}>
        <FileButton onChange={take}>
          {(props) => (
            <Button
              {...props}
              size="xs"
              variant="default"
              loading={share !== undefined}
              leftSection={<IconPaperclip size={14} aria-hidden />}
            >
              {t('value.choose_file')}
            </Button>
          )}
        </FileButton>
        {value && (
          <Button size="xs" variant="default" onClick={() => onSave([])}>
            {t('value.clear')}
          </Button>
        )}
        <Button size="xs" variant="subtle" color="gray" onClick={cancel}>
          {t('act.cancel')}
        </Button>
      </div>
    </EditorBox>
  )
}
