import { IconLoader2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useUploadShare } from '../../data/new-rows.ts'
import type { NewNote } from '../../data/timeline.ts'
import { CancelUpload } from '../../parts/records/cancel-upload.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { useSignedIn } from '../../shell/use-session.ts'
import classes from './timeline.module.css'

/** A note that is being saved, with its upload progress. */
export function WritingRow({ written }: { written: NewNote }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { user } = useSignedIn()
  const { key, note, file } = written
  const share = useUploadShare(key)
  const { text, call_result, phone } = note.params as Record<string, string | undefined>
  const isUploading = file !== undefined && share < 1
  return (
    <li className={classes.row} data-writing>
      <span className={classes.mark} aria-hidden>
        <IconLoader2 size={16} stroke={1.7} />
      </span>
      <div className={classes.line}>
        <span className={classes.sentence}>
          <b className={classes.who}>{user.name}</b>{' '}
          <span className={classes.did}>
            {isUploading
              ? t('timeline.uploading', { percent: Math.floor(share * 100) })
              : t('timeline.adding')}
          </span>
        </span>
        {isUploading && <CancelUpload row={written} />}
      </div>
      <div className={classes.block}>
        {phone && <p className={classes.details}>{phone}</p>}
        <p className={classes.text}>
          {file ? `${file.name} · ${format.size(file.size)}` : (text ?? call_result)}
        </p>
      </div>
    </li>
  )
}
