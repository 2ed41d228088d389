import './tags.css'

export function Tags({ tags }: { readonly tags: readonly string[] }) {
  return (
    <span className="tags">
      {tags.map((tag) => (
        <span key={tag} className="tag" title={tag}>
          {tag}
        </span>
      ))}
    </span>
  )
}
