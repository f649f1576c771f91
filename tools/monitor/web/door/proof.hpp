// The proof that a server knows a token, given before it is told. A port may be another user's as
// soon as its server has ended, however that ends.
//
// A client sends `GET /proof` with a new word in the field Nonce. The server answers with a line
// for each of its tokens, and the client goes on with the same connection. A line is the
// HMAC-SHA256 (RFC 2104) by that token of the nonce, both ends of the connection and the network.
// So nobody can pass the question on to the server: its answer would be for another connection. The
// server's end alone would not do: who has accepted a connection keeps it when the server takes the
// port again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rhizome::tools {

// The whole answer to a head that asks for a proof; empty if it asks for something else. `socket`:
// the server's end.
[[nodiscard]] std::string answer_with_proof(const std::string& head,
                                            const std::vector<std::string>& tokens, int socket);

// The head that asks for a proof.
[[nodiscard]] std::string question_of_proof(const std::string& nonce);

// Whether the answer proves that the server knows the token. `socket`: the client's end.
[[nodiscard]] bool is_proof(std::string_view answer, const std::string& token,
                            const std::string& nonce, int socket);

}  // namespace rhizome::tools
