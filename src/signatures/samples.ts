import type { RecipeId } from './recipes.ts'

/** The languages of the samples. */
export type Language = 'typescript' | 'php' | 'python' | 'go' | 'ruby'

/** How to sign correctly: a function for each recipe. Its parameters have the same order in all languages. */
const samples: Record<RecipeId, Record<Language, string>> = {
  chat_body: {
    typescript: `import { createHmac } from 'node:crypto'

// Serialize once, and send exactly these bytes: body = JSON.stringify(value)
export function sign(secret: string, body: string): string {
  return createHmac('sha1', secret).update(body, 'utf8').digest('hex')
}
`,
    php: `// Serialize once, and send exactly these bytes: $body = json_encode($value)
function sign(string $secret, string $body): string {
    return hash_hmac('sha1', $body, $secret);
}
`,
    python: `import hashlib, hmac

# Serialize once, and send exactly these bytes: body = json.dumps(value)
def sign(secret, body):
    return hmac.new(secret.encode(), body.encode(), hashlib.sha1).hexdigest()
`,
    go: `// import "crypto/hmac", "crypto/sha1", "encoding/hex"

// Serialize once, and send exactly these bytes: body, err := json.Marshal(value)
func sign(secret, body string) string {
	mac := hmac.New(sha1.New, []byte(secret))
	mac.Write([]byte(body))
	return hex.EncodeToString(mac.Sum(nil))
}
`,
    ruby: `require 'openssl'

# Serialize once, and send exactly these bytes: body = JSON.generate(value)
def sign(secret, body)
  OpenSSL::HMAC.hexdigest('SHA1', secret, body)
end
`,
  },
  chat_lines: {
    typescript: `import { createHash, createHmac } from 'node:crypto'

// date = new Date().toUTCString(), also sent as Date; type is the sent Content-Type; path has no host and no query.
export function sign(secret: string, body: string, method: string, type: string, date: string, path: string): string {
  const digest = createHash('md5').update(body, 'utf8').digest('hex') // also sent as Content-MD5
  const text = [method, digest, type, date, path].join('\\n')
  return createHmac('sha1', secret).update(text, 'utf8').digest('hex')
}
`,
    php: `// $date = gmdate('D, d M Y H:i:s') . ' GMT', also sent as Date; $type is the sent Content-Type; $path has no host and no query.
function sign(string $secret, string $body, string $method, string $type, string $date, string $path): string {
    $digest = md5($body); // also sent as Content-MD5
    $text = implode("\\n", [$method, $digest, $type, $date, $path]); // double quotes: '\\n' is not a line feed
    return hash_hmac('sha1', $text, $secret);
}
`,
    python: `import hashlib, hmac

# date = email.utils.formatdate(usegmt=True), also sent as Date; type is the sent Content-Type; path has no host and no query.
def sign(secret, body, method, type, date, path):
    digest = hashlib.md5(body.encode()).hexdigest()  # also sent as Content-MD5
    text = "\\n".join([method, digest, type, date, path])
    return hmac.new(secret.encode(), text.encode(), hashlib.sha1).hexdigest()
`,
    go: `// import "crypto/hmac", "crypto/md5", "crypto/sha1", "encoding/hex", "strings"

// date = time.Now().UTC().Format(http.TimeFormat), also sent as Date; contentType is the sent Content-Type; path has no host and no query.
func sign(secret, body, method, contentType, date, path string) string {
	digest := md5.Sum([]byte(body)) // its hex is also sent as Content-MD5
	text := strings.Join([]string{method, hex.EncodeToString(digest[:]), contentType, date, path}, "\\n")
	mac := hmac.New(sha1.New, []byte(secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}
`,
    ruby: `require 'openssl'
require 'digest'

# date = Time.now.httpdate, also sent as Date; type is the sent Content-Type; path has no host and no query.
def sign(secret, body, method, type, date, path)
  digest = Digest::MD5.hexdigest(body) # also sent as Content-MD5
  text = [method, digest, type, date, path].join("\\n")
  OpenSSL::HMAC.hexdigest('SHA1', secret, text)
end
`,
  },
  webhook: {
    typescript: `import { createHmac } from 'node:crypto'

// The body as it was received, before it is parsed; the secret as it is shown, with whsec_. Compare with X-Signature.
export function sign(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body, 'utf8').digest('hex')
}
`,
    php: `// The body as it was received: file_get_contents('php://input'). Compare with X-Signature by hash_equals.
function sign(string $secret, string $body): string {
    return hash_hmac('sha256', $body, $secret);
}
`,
    python: `import hashlib, hmac

# The body as it was received, before it is parsed. Compare with X-Signature by hmac.compare_digest.
def sign(secret, body):
    return hmac.new(secret.encode(), body.encode(), hashlib.sha256).hexdigest()
`,
    go: `// import "crypto/hmac", "crypto/sha256", "encoding/hex"

// The body as it was received, before it is parsed. Compare with X-Signature by hmac.Equal.
func sign(secret, body string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(body))
	return hex.EncodeToString(mac.Sum(nil))
}
`,
    ruby: `require 'openssl'

# The body as it was received, before it is parsed. Compare with X-Signature by OpenSSL.secure_compare.
def sign(secret, body)
  OpenSSL::HMAC.hexdigest('SHA256', secret, body)
end
`,
  },
  webhook_standard: {
    typescript: `import { createHmac } from 'node:crypto'

// id and timestamp are the headers webhook-id and webhook-timestamp. Compare with what follows "v1," in webhook-signature.
export function sign(secret: string, body: string, id: string, timestamp: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`, 'utf8').digest('base64')
}
`,
    php: `// $id and $timestamp are the headers webhook-id and webhook-timestamp. Compare with what follows "v1," in webhook-signature.
function sign(string $secret, string $body, string $id, string $timestamp): string {
    $key = base64_decode(str_replace('whsec_', '', $secret));
    return base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
}
`,
    python: `import base64, hashlib, hmac

# id and timestamp are the headers webhook-id and webhook-timestamp. Compare with what follows "v1," in webhook-signature.
def sign(secret, body, id, timestamp):
    key = base64.b64decode(secret.replace("whsec_", ""))
    text = f"{id}.{timestamp}.{body}"
    return base64.b64encode(hmac.new(key, text.encode(), hashlib.sha256).digest()).decode()
`,
    go: `// import "crypto/hmac", "crypto/sha256", "encoding/base64", "strings"

// id and timestamp are the headers webhook-id and webhook-timestamp. Compare with what follows "v1," in webhook-signature.
func sign(secret, body, id, timestamp string) string {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "." + body))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
`,
    ruby: `require 'openssl'
require 'base64'

# id and timestamp are the headers webhook-id and webhook-timestamp. Compare with what follows "v1," in webhook-signature.
def sign(secret, body, id, timestamp)
  key = Base64.strict_decode64(secret.delete_prefix('whsec_'))
  Base64.strict_encode64(OpenSSL::HMAC.digest('SHA256', key, "#{id}.#{timestamp}.#{body}"))
end
`,
  },
  disable_hook: {
    typescript: `import { createHmac } from 'node:crypto'

// The secret of the integration, and two parameters of the call. Compare with its parameter signature.
export function sign(secret: string, client_uuid: string, account_id: string): string {
  return createHmac('sha256', secret).update(\`\${client_uuid}|\${account_id}\`, 'utf8').digest('hex')
}
`,
    php: `// The secret of the integration, and two parameters of the call. Compare with its parameter signature.
function sign(string $secret, string $client_uuid, string $account_id): string {
    return hash_hmac('sha256', "$client_uuid|$account_id", $secret);
}
`,
    python: `import hashlib, hmac

# The secret of the integration, and two parameters of the call. Compare with its parameter signature.
def sign(secret, client_uuid, account_id):
    return hmac.new(secret.encode(), f"{client_uuid}|{account_id}".encode(), hashlib.sha256).hexdigest()
`,
    go: `// import "crypto/hmac", "crypto/sha256", "encoding/hex"

// The secret of the integration, and two parameters of the call. Compare with its parameter signature.
func sign(secret, clientUUID, accountID string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(clientUUID + "|" + accountID))
	return hex.EncodeToString(mac.Sum(nil))
}
`,
    ruby: `require 'openssl'

# The secret of the integration, and two parameters of the call. Compare with its parameter signature.
def sign(secret, client_uuid, account_id)
  OpenSSL::HMAC.hexdigest('SHA256', secret, "#{client_uuid}|#{account_id}")
end
`,
  },
}

/** How to sign by a recipe, in each language. */
export const samplesOf = (recipe: RecipeId): Record<Language, string> => samples[recipe]
