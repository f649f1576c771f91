#!/bin/sh
# The workload "echo" in shell, for one peer a process: the answer is the question, of another type.
while read -r line; do
  id=$(expr "$line" : '.*"dest":"\([^"]*\)"')
  from=$(expr "$line" : '.*"src":"\([^"]*\)"')
  number=$(expr "$line" : '.*"msg_id":\([0-9]*\)')
  echo=$(expr "$line" : '.*"echo":"\([^"]*\)"')
  case $line in
    *'"type":"init"'*) body="{\"type\":\"init_ok\",\"in_reply_to\":$number,\"rhizome\":1}" ;;
    *'"type":"echo"'*) body="{\"type\":\"echo_ok\",\"in_reply_to\":$number,\"echo\":\"$echo\"}" ;;
    *'"type":"time"'*) continue ;;
    *) body= ;;
  esac
  [ -z "$body" ] || echo "{\"src\":\"$id\",\"dest\":\"$from\",\"body\":$body}"
  echo "{\"src\":\"$id\",\"dest\":\"env\",\"body\":{\"type\":\"idle\"}}"
done
