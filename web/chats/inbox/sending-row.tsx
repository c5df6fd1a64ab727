import { IconFile, IconLoader2 } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewMessage } from '../../data/messages.ts'
import { useUploadShare } from '../../data/new-rows.ts'
import { CancelUpload } from '../../parts/records/cancel-upload.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { focusField, useHasKeyboard } from './composer.tsx'
import classes from './message.module.css'

/** A message that is being sent, with its upload progress. */
export function SendingRow({ draft }: { draft: NewMessage }) {
  const { t } = useTranslation()
  const format = useFormat()
  const share = useUploadShare(draft.key)
  const hasKeyboard = useHasKeyboard()
  const { text, file } = draft
  const isUploading = file !== undefined && share < 1
  return (
    <li className={`${classes.row} ${classes.out} ${classes.goesOn} ${classes.sending}`}>
      <div className={classes.line}>
        <div className={classes.bubble}>
          {file?.type.startsWith('image/') && <Preview file={file} />}
          {file && !file.type.startsWith('image/') && (
            <span className={classes.file}>
              <IconFile size={22} stroke={1.5} aria-hidden />
              <span className={classes.fileWords}>
                <span className={classes.fileName}>{file.name}</span>
                {file.size > 0 && <span className={classes.fileSize}>{format.size(file.size)}</span>}
              </span>
            </span>
          )}
          {text && <p className={classes.text}>{text}</p>}
        </div>
        <div className={classes.meta}>
          <span className={classes.state}>
            <IconLoader2 size={14} aria-hidden />
            {isUploading
              ? t('message.uploading', { percent: Math.floor(share * 100) })
              : t('message.sending')}
          </span>
        </div>
      </div>
      {isUploading && (
        <div className={classes.upload}>
          <progress value={share} max={1} aria-label={t('message.upload_of', { name: file.name })} />
          <CancelUpload row={draft} {...(hasKeyboard && { onCancelled: focusField })} />
        </div>
      )}
    </li>
  )
}

/** Previews the local file. */
function Preview({ file }: { file: File }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url && <img className={classes.picture} src={url} alt={file.name} />
}
